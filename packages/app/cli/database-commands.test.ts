import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { openTestStorage, temporaryFolder } from '../../../test/support/storage/storage.ts';
import { migrations } from '../../../src/compose/index.ts';
import { parseProgram } from './program.ts';

async function vitrine(...args: readonly string[]): Promise<readonly [number, string]> {
  const words: string[] = [];
  const say = (text: string) => void words.push(text);
  const asked = parseProgram({
    ...{ args, env: {}, cwd: '/', version: '0', write: say, complain: say },
  });
  const code = asked.command === 'task' ? await asked.run() : -1;
  return [code, words.join('')];
}

async function home() {
  const data = temporaryFolder();
  const url = `sqlite:${path.join(data, 'vitrine.db')}`;
  const { database } = await openTestStorage({ url, migrations });
  return { data, database };
}

describe('vitrine database check', () => {
  test('exits with 0 for an intact database, also while a server has it open', async () => {
    const { data } = await home();

    expect(await vitrine('database', 'check', '--data', data)).toEqual([
      0,
      'The database is intact.\n',
    ]);
  });

  test('exits with 1 and prints a line for each fault', async () => {
    const { data, database } = await home();
    await database.write(async (trx) => {
      await trx('kv_usage').insert({ plugin_id: 'p', used_bytes: 7 });
      await trx('entity_names').insert({ key: 'k', entity_no: 1 });
    });

    expect(await vitrine('database', 'check', '--data', data)).toEqual([
      1,
      'vitrine: The store of p has another size than its record says.\n' +
        'vitrine: 1 names belong to an entity that does not exist.\n',
    ]);
  });

  test('exits with 2 where there is no database, or the file is not a database', async () => {
    const data = temporaryFolder();
    const nothing = await vitrine('database', 'check', '--data', data);
    writeFileSync(
      path.join(data, 'vitrine.db'),
      'These are my notes, and no database. '.repeat(40),
    );
    const notes = await vitrine('database', 'check', '--data', data);

    expect(nothing).toEqual([2, expect.stringMatching(/^vitrine: the database cannot be read/)]);
    expect(notes).toEqual([2, expect.stringContaining('"vitrine.db" is not an SQLite database')]);
  });
});
