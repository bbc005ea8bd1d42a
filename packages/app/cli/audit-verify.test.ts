import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { openTestStorage, temporaryFolder } from '../../../test/support/storage/storage.ts';
import { silentLog } from '../../../kernel/index.ts';
import { auditMigrations, createAudit } from '../../../src/platform/audit/index.ts';
import { systemClock } from '../../../src/platform/clock.ts';
import { parseProgram } from './program.ts';

/** Runs `vitrine audit verify` in a data folder; gives its output and exit code. */
async function verify(data: string, ...args: readonly string[]) {
  let said = '';
  const asked = parseProgram({
    args: ['audit', 'verify', '--data', data, ...args],
    env: {},
    cwd: '/media',
    version: '1.2.3',
    write: (text) => (said += text),
    complain: (text) => (said += text),
  });
  return { code: asked.command === 'task' ? await asked.run() : asked, said };
}

async function folderWithLog() {
  const folder = temporaryFolder();
  const url = `sqlite:${path.join(folder, 'vitrine.db')}`;
  const { database } = await openTestStorage({ migrations: [auditMigrations], url });
  const audit = createAudit({ database, clock: systemClock, log: silentLog });
  for (const action of ['library.created', 'library.removed'])
    await audit.record({ actor: 'server', action, change: 'event', target: null });
  return { folder, database, head: (await audit.list({})).head };
}

describe('vitrine audit verify', () => {
  test('reports an intact log with its length and last hash, while a server has it open', async () => {
    const { folder, head } = await folderWithLog();

    expect(await verify(folder)).toEqual({
      code: 0,
      said: `The audit log is intact: 2 entries, the last hash is ${head.hash}\n`,
    });
    expect(await verify(folder, '--head', head.hash.toUpperCase())).toMatchObject({ code: 0 });
  });

  test('names the first changed entry, and exits with 1', async () => {
    const { folder, database } = await folderWithLog();
    await database.write(async (trx) => {
      await trx.raw('drop trigger audit_entries_never_change');
      await trx.raw("update audit_entries set action = 'library.praised' where seq = 2");
    });

    expect(await verify(folder)).toEqual({
      code: 1,
      said: 'vitrine: the audit log is broken at entry 2. It was changed after it was written.\n',
    });
  });

  test('exits with 1 when a noted head is not in the log', async () => {
    const { folder } = await folderWithLog();

    expect(await verify(folder, '--head', 'ab'.repeat(32))).toMatchObject({ code: 1 });
  });

  test('exits with 2 where there is no log, and creates no file', async () => {
    const empty = temporaryFolder();
    expect(await verify(empty)).toEqual({
      code: 2,
      said: expect.stringMatching(/^vitrine: the audit log cannot be read\. .+vitrine\.db/),
    });
    await openTestStorage({ url: `sqlite:${path.join(empty, 'vitrine.db')}` });
    expect(await verify(empty)).toEqual({
      code: 2,
      said: 'vitrine: the audit log cannot be read. An older version wrote the database.\n',
    });
  });

  test('refuses a head that is not a hash', async () => {
    expect(await verify('/nowhere', '--head', 'latest')).toEqual({
      code: { command: 'none', exitCode: 2 },
      said: 'vitrine: --head latest: it must be a hash of the log, 64 hex digits.\n',
    });
  });
});
