import { expect, test } from 'vitest';
import { silentLog } from '../../../kernel/index.ts';
import { KernelError } from '../../../kernel/errors.ts';
import type { Database } from '../../../kernel/store/index.ts';
import { createFakeClock } from '../../../test/support/fake-clock.ts';
import { openTestStorage } from '../../../test/support/storage/storage.ts';
import { createNotifications, notificationMigrations } from '../notifications/index.ts';
import { quoted } from '../text.ts';
import { createUuidV7 } from '../uuid-v7.ts';
import { createProblems, problemMigrations, type FoundProblem } from './index.ts';

const films: FoundProblem = {
  code: 'library_unreachable',
  subject: { type: 'library', id: 'films' },
  message: {
    english: 'The library Films cannot be reached.',
    german: 'Die Bibliothek Films ist nicht erreichbar.',
  },
  detail: quoted('ENOENT: no such folder'),
  action: { english: 'Mount its disk.', german: 'Hängen Sie ihre Platte ein.' },
};
const low: FoundProblem = {
  code: 'disk_nearly_full',
  subject: { type: 'folder', id: 'data folder' },
  message: quoted('The disk is running low.'),
  action: quoted('Free some space.'),
};

async function open(given?: Database) {
  const clock = createFakeClock();
  const database =
    given ??
    (await openTestStorage({ migrations: [notificationMigrations, problemMigrations] })).database;
  const lines: string[] = [];
  const line = (level: string) => (_fields: unknown, text?: string) =>
    void lines.push(`${level} ${text ?? ''}`);
  const failing = { now: false };
  const guarded: Database = {
    ...database,
    write: (work, committed) =>
      failing.now
        ? Promise.reject(new KernelError('storage_full', 'Full.'))
        : database.write(work, committed),
  };
  const notifications = createNotifications({
    database: guarded,
    emit: () => undefined,
    deliver: async () => undefined,
    clock,
    newId: createUuidV7({ now: clock.now }),
    log: silentLog,
  });
  const problems = createProblems({
    database: guarded,
    notifications,
    clock,
    log: { ...silentLog, info: line('info'), warn: line('warn'), error: line('error') },
  });
  await problems.open();
  const stored = async () => {
    await problems.close();
    await problems.open();
    return (await notifications.list({})).notifications.map(
      ({ level, title, message, readAt }) =>
        `${level}: ${title} ${message}${readAt === null ? '' : ' (read)'}`,
    );
  };
  return {
    notifications,
    clock,
    database,
    problems,
    lines,
    failing,
    stored,
  };
}

test('a problem causes one notification and one log line, however often it is reported', async () => {
  const { clock, problems, lines, stored } = await open();
  problems.set(['library_unreachable'], [films]);
  await clock.advance(60_000);
  problems.set(['library_unreachable'], [films]);
  problems.set(['disk_nearly_full'], []);

  expect(problems.list()).toEqual([
    {
      code: 'library_unreachable',
      severity: 'error',
      subject: { type: 'library', id: 'films' },
      message: 'The library Films cannot be reached. ENOENT: no such folder.',
      action: 'Mount its disk.',
      since: '2026-11-21T07:44:53.000Z',
    },
  ]);
  const told = 'The library Films cannot be reached. ENOENT: no such folder. Mount its disk.';
  expect(await stored()).toEqual([`error: ${told}`]);
  expect(lines).toEqual([`error ${told}`]);
});

test('what is not reported again is solved: one log line, and the notification is read', async () => {
  const { problems, lines, stored } = await open();
  problems.set(['library_unreachable'], [films]);
  await stored();
  problems.set(['library_unreachable'], []);

  expect(problems.list()).toEqual([]);
  expect(await stored()).toEqual([expect.stringMatching(/\(read\)$/)]);
  expect(lines.slice(1)).toEqual([
    'info Solved: The library Films cannot be reached. ENOENT: no such folder.',
  ]);
});

test('a problem that gets worse is told again, and a changed number is not', async () => {
  const { problems, lines, stored } = await open();
  problems.set(['disk_nearly_full'], [{ ...low, detail: quoted('900 MiB') }]);
  problems.set(['disk_nearly_full'], [{ ...low, detail: quoted('800 MiB') }]);
  await stored();
  problems.set(['disk_nearly_full'], [{ ...low, severity: 'error', detail: quoted('100 MiB') }]);

  expect(await stored()).toEqual([
    'error: The disk is running low. 100 MiB. Free some space.',
    'warning: The disk is running low. 800 MiB. Free some space. (read)',
  ]);
  expect(lines.map((line) => line.split(' ')[0])).toEqual(['warn', 'error']);
  expect(problems.list()).toMatchObject([{ severity: 'error' }]);
});

test('a restart does not tell it again, remembers since when, and resolves what is over', async () => {
  const first = await open();
  first.problems.set(['library_unreachable'], [films]);
  first.problems.set(['disk_nearly_full'], [low]);
  await first.stored();
  await first.clock.advance(3_600_000);

  const second = await open(first.database);
  await second.clock.advance(7_200_000);
  second.problems.set(['library_unreachable'], [films]);
  second.problems.set(['disk_nearly_full'], []);

  expect(second.problems.list()).toMatchObject([{ since: '2026-11-21T07:44:53.000Z' }]);
  expect(await second.stored()).toEqual([
    expect.stringMatching(/running low.*\(read\)$/),
    expect.stringMatching(/Mount its disk\.$/),
  ]);
});

test('a notification that cannot be stored is stored when the database can be written', async () => {
  const { clock, problems, failing, stored } = await open();
  failing.now = true;
  problems.set(['library_unreachable'], [films]);
  problems.set(['disk_nearly_full'], [low]);
  expect(await stored()).toEqual([]);
  problems.set(['disk_nearly_full'], []);
  expect(problems.list()).toHaveLength(1);

  failing.now = false;
  await clock.advance(10_000);

  expect((await stored()).toSorted()).toEqual([
    expect.stringMatching(/^error: The library Films cannot be reached.*disk\.$/),
    expect.stringMatching(/^warning: The disk is running low.*\(read\)$/),
  ]);
});

test('a problem, and its notification, are in the language of the reader', async () => {
  const { problems, stored, notifications } = await open();
  problems.set(['library_unreachable'], [films]);
  await stored();

  const german = {
    message: 'Die Bibliothek Films ist nicht erreichbar. ENOENT: no such folder.',
    action: 'Hängen Sie ihre Platte ein.',
  };
  expect(problems.list('de-AT')).toEqual([expect.objectContaining(german)]);
  expect(problems.list('fr')).toEqual(problems.list());
  expect(problems.list()).toMatchObject([{ action: 'Mount its disk.' }]);
  const list = await notifications.list({}, 'de');
  expect(list.notifications).toMatchObject([
    {
      title: 'Die Bibliothek Films ist nicht erreichbar.',
      message: 'ENOENT: no such folder. Hängen Sie ihre Platte ein.',
    },
  ]);
  const read = await notifications.markRead(list.notifications[0]?.id ?? '', 'de');
  expect(read.title).toBe('Die Bibliothek Films ist nicht erreichbar.');
});
