import { expect, test } from 'vitest';
import { silentLog } from '../../../kernel/index.ts';
import { createFakeClock } from '../../../test/support/fake-clock.ts';
import { openTestStorage } from '../../../test/support/storage/storage.ts';
import { quoted } from '../text.ts';
import { createUuidV7 } from '../uuid-v7.ts';
import { createNotifications, followEvents, notificationMigrations, type Notice } from './index.ts';

const dayMs = 24 * 3_600_000;
const failed: Notice = {
  level: 'error',
  title: quoted('The job scan failed.'),
  source: 'jobs',
};

async function makeNotifications() {
  const clock = createFakeClock();
  const { database } = await openTestStorage({ migrations: [notificationMigrations] });
  const emitted: object[] = [];
  const delivered: object[] = [];
  const notifications = createNotifications({
    database,
    emit: (type, data) => void emitted.push({ type, ...data }),
    deliver: async (notification) => void delivered.push(notification),
    clock,
    newId: createUuidV7({ now: clock.now }),
    log: silentLog,
  });
  const told = async (...notices: readonly Notice[]) => {
    for (const notice of notices) notifications.notify(notice);
    await notifications.close();
    return (await notifications.list({})).notifications;
  };
  return { clock, notifications, emitted, delivered, told };
}

test('a notification is stored with all fields of the contract, and emits one event', async () => {
  const { told, emitted, delivered } = await makeNotifications();

  const [one] = await told({ ...failed, message: quoted('The disk is gone.') });

  expect(one).toEqual({
    id: expect.any(String) as string,
    level: 'error',
    title: 'The job scan failed.',
    message: 'The disk is gone.',
    source: 'jobs',
    readAt: null,
    createdAt: '2026-11-21T07:44:53.000Z',
  });
  expect(emitted).toEqual([
    {
      ...{ type: 'notification.created', id: one?.id, level: 'error' },
      ...{ title: 'The job scan failed.', source: 'jobs' },
    },
  ]);
  expect(delivered).toEqual([one]);
});

test('the same notification is stored once until it is read', async () => {
  const { notifications, told, emitted, delivered } = await makeNotifications();
  const [one] = await told(failed, failed, { ...failed, message: quoted('Again.') });
  expect([emitted, delivered].map(({ length }) => length)).toEqual([1, 1]);

  const read = await notifications.markRead(one?.id ?? '');
  expect(read.readAt).toBe('2026-11-21T07:44:53.000Z');

  expect(await told(failed)).toHaveLength(2);
  expect((await notifications.list({ unread: true })).notifications).toHaveLength(1);
});

test('a list has pages, newest first', async () => {
  const { notifications, told } = await makeNotifications();
  await told(...['a', 'b', 'c'].map((title) => ({ ...failed, title: quoted(title) })));

  const first = await notifications.list({ limit: 2 });
  const second = await notifications.list({ limit: 2, cursor: first.nextCursor ?? '' });

  expect(first.notifications.map(({ title }) => title)).toEqual(['c', 'b']);
  expect(second.notifications.map(({ title }) => title)).toEqual(['a']);
  expect(second.nextCursor).toBeNull();
});

test('one that was read a month ago is removed, an unread one is not', async () => {
  const { clock, notifications, told } = await makeNotifications();
  const [read] = await told(failed);
  await notifications.markRead(read?.id ?? '');
  await told({ ...failed, title: quoted('Another.') });

  await clock.advance(31 * dayMs);
  await notifications.tidy();

  expect((await notifications.list({})).notifications.map(({ title }) => title)).toEqual([
    'Another.',
  ]);
});

test('the newest thousand are kept', async () => {
  const { notifications, told } = await makeNotifications();
  await told(
    ...Array.from({ length: 1005 }, (_, no) => ({ ...failed, title: quoted(`No ${no}`) })),
  );

  await notifications.tidy();

  const titles: string[] = [];
  for (let cursor: string | null | undefined; cursor !== null;) {
    const page = await notifications.list({ limit: 500, ...(cursor && { cursor }) });
    titles.push(...page.notifications.map(({ title }) => title));
    cursor = page.nextCursor;
  }
  expect(titles).toHaveLength(1000);
  expect(titles.at(-1)).toBe('No 5');
});

test('an unknown one cannot be read or dismissed', async () => {
  const { notifications } = await makeNotifications();

  await expect(notifications.markRead('x')).rejects.toThrow('Notification x does not exist.');
  await expect(notifications.remove('x')).rejects.toThrow('Notification x does not exist.');
});

test('a failed job causes a notification with its reason, except a scan, which is a problem of its library', () => {
  const heard: Notice[] = [];
  const listeners = new Map<string, (data: object) => void>();
  followEvents({
    events: {
      listen: (pattern, listener) => {
        const timestamp = '2026-11-21T07:44:53.000Z';
        listeners.set(pattern, (data) =>
          listener({ type: pattern, timestamp, data: { ...data } }, ''),
        );
        return () => undefined;
      },
    },
    notify: (notice) => void heard.push(notice),
    libraryName: () => 'Films',
    runnerOf: (type) => `runner-of-${type}`,
  });

  listeners.get('job.failed')?.({ type: 'scan', libraryId: 'l', errorMessage: 'No folder.' });
  listeners.get('job.failed')?.({ type: 'probe', libraryId: 'l', errorMessage: 'No room.' });
  expect(heard).toEqual([
    {
      level: 'error',
      title: {
        english: 'The job probe of Films failed.',
        german: 'Die Aufgabe probe der Bibliothek Films ist gescheitert.',
      },
      message: quoted('No room.'),
      ...{ source: 'jobs', quotes: 'runner-of-probe' },
    },
  ]);
});

test('what is about something that is over is marked as read, and may be told again', async () => {
  const { notifications, told } = await makeNotifications();
  const about = { ...failed, about: 'disk' };
  await told(
    about,
    { ...about, title: quoted('The disk is fuller.') },
    { ...failed, about: 'other' },
  );
  const unread = async () =>
    (await notifications.list({ unread: true })).notifications.map(({ title }) => title);

  expect(await unread()).toEqual([failed.title.english, failed.title.english]);
  await notifications.resolve('disk');
  expect(await unread()).toEqual([failed.title.english]);
  await notifications.keep(about, { isRead: true });
  expect(await unread()).toEqual([failed.title.english]);
  await notifications.keep(about);
  expect(await unread()).toEqual([failed.title.english, failed.title.english]);
});
