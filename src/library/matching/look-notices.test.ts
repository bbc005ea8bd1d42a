import { beforeEach, expect, onTestFinished, test } from 'vitest';
import { silentLog } from '../../../kernel/index.ts';
import { createFakeClock } from '../../../test/support/fake-clock.ts';
import { eventually } from '../../../test/support/eventually.ts';
import { openTestLibrary, type TestLibrary } from '../../../test/support/library/library.ts';
import {
  createNotifications,
  notificationMigrations,
  type Notifications,
} from '../../platform/notifications/index.ts';
import { createUuidV7 } from '../../platform/uuid-v7.ts';
import { createLookNotices } from './index.ts';

let library: TestLibrary;
let notifications: Notifications;
let libraryId: string;
let told: string[];
let endJob: () => void;

beforeEach(async () => {
  library = await openTestLibrary({}, undefined, [notificationMigrations]);
  const { database } = library.storage;
  ({ id: libraryId } = await library.libraries.create({
    ...{ name: 'Films', type: 'movies', roots: ['/films'] },
  }));
  const files = ['a', 'b', 'c'].map((name) => ({
    ...{ uri: `file:///films/${name}/${name}.mkv`, size: 1, modifiedAt: 1 },
  }));
  const page = { after: null, through: null, files, unreadable: [] };
  await library.reconcile({ libraryId, root: 'file:///films', ...page });
  told = [];
  notifications = createNotifications({
    database,
    emit: (_, { title }) => void told.push(title),
    deliver: async () => undefined,
    clock: createFakeClock(),
    newId: createUuidV7({ now: Date.now }),
    log: silentLog,
  });
  const listeners = new Map<string, (event: { readonly data: object }) => void>();
  endJob = () => listeners.get('job.completed')?.({ data: { type: 'probe', libraryId } });
  const notices = createLookNotices({
    database,
    events: {
      listen: (name, listener) => {
        listeners.set(name, listener);
        return () => undefined;
      },
    },
    libraryIds: async () => [libraryId],
    libraryName: () => 'Films',
    notifications,
    log: silentLog,
  });
  await notices.start();
  onTestFinished(async () => {
    await notices.stop();
    await library.close();
  });
});

/** A job ends after which these items need a look. */
async function need(titles: readonly string[]): Promise<void> {
  await library.storage.database.write(async (trx) => {
    await trx('items').update({ needs_look: 0 });
    await trx('items').whereIn('title', titles).update({ needs_look: 1 });
  });
  endJob();
}

/** Waits until these are the unread notifications. */
const unreadAre = (...titles: readonly string[]) =>
  eventually(`unread: ${titles.join()}`, async () => {
    const { notifications: list } = await notifications.list({ unread: true });
    return list.map(({ title }) => title).join() === titles.join();
  });

test('a library has one notification, which counts what needs a look until nothing does', async () => {
  await need(['a']);
  await unreadAre('1 item of the library Films needs a look.');
  await need(['a', 'b', 'c']);
  await unreadAre('3 items of the library Films need a look.');
  await need([]);
  await unreadAre();

  expect(told).toHaveLength(1);
});

test('what an admin has read is told again only when there is more', async () => {
  await need(['a', 'b']);
  await unreadAre('2 items of the library Films need a look.');
  const [first] = (await notifications.list({})).notifications;
  await notifications.markRead(first?.id ?? '');
  await need(['a']);
  await need(['a', 'b', 'c']);
  await unreadAre('3 items of the library Films need a look.');

  expect(told).toHaveLength(2);
});
