/** `docs/capacity.md` names every table of the schema once, with its limit. */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { migrations } from '../../src/compose/migrations.ts';
import { openTestStorage } from '../support/storage/storage.ts';

const page = path.resolve(import.meta.dirname, '../../docs/capacity.md');

/** Tables of the engine, and those of the text indexes, which plugins create. */
const isOther = (name: string): boolean =>
  name.startsWith('sqlite_') || name.startsWith('text_index_t');

test('the page about what grows names every table once, with its limit', async () => {
  const [, after = ''] = readFileSync(page, 'utf8').split('## What grows');
  const [section = ''] = after.split('\n## ');
  const rows = [...section.matchAll(/^\| (`[^|]+)\|([^|]+)\|/gm)];
  const named = rows.flatMap(([, cell = '']) =>
    [...cell.matchAll(/`([^`]+)`/g)].map(([, name]) => name),
  );

  const { database } = await openTestStorage({ migrations, driver: 'node:sqlite' });
  const tables = await database.read('sqlite_master').where('type', 'table').select('name');

  const known = tables.map(({ name }) => String(name)).filter((name) => !isOther(name));
  expect([...named].sort()).toEqual([...known].sort());
  for (const [, , limit = ''] of rows) expect(limit.trim()).not.toBe('');
});
