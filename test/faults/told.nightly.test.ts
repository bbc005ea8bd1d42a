/**
 * Each part of a server tells of the same fault, and of nothing when it is over. `npm run bench -- told`
 * does it for forty faults, and writes what it found into docs/problems.md.
 */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { isOverPostgres } from '../support/storage/postgres.ts';
import { backupFaults, refusedWrites } from '../support/faults/disk-faults.ts';
import { folderFaults } from '../support/faults/library-faults.ts';
import { openWithFilms } from '../support/faults/told-groups.ts';
import type { ToldServer } from '../support/faults/told-server.ts';

const names = [
  'The backup folder is a file',
  'SQLite: the file can only be read (READONLY)',
  'A link leads nowhere',
];
const faults = [...backupFaults, ...refusedWrites, ...folderFaults].filter(({ name }) =>
  names.includes(name),
);
let server: ToldServer;

beforeAll(async () => {
  if (!isOverPostgres) server = await openWithFilms();
}, 60_000);

afterAll(() => server?.close());

test.skipIf(isOverPostgres).each(faults.map((fault) => [fault.name, fault] as const))(
  '%s: health, the notification, the log, doctor and the metric say so',
  async (_name, fault) => {
    const { health, notification, log, doctor, metric } = await server.tell(fault);

    expect(health).toContain(`\`${fault.code}\``);
    expect(metric).toContain(`code="${fault.code}"`);
    expect([notification, log, doctor]).not.toContain('');
    expect(notification).toContain(log);
  },
  60_000,
);
