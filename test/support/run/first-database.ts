/**
 * The database of a first start. A server makes its tables when there are none; the servers of a run would
 * all make the same.
 */
import { existsSync } from 'node:fs';
import { copyFile, readFile } from 'node:fs/promises';
import path from 'node:path';
import { silentLog } from '../../../kernel/log.ts';
import { openStorage } from '../../../kernel/store/index.ts';
import { migrations } from '../../../src/compose/migrations.ts';

const root = path.resolve(import.meta.dirname, '../../..');
const name = 'vitrine.db';

/** Makes it in a folder, where the servers of this run and of its workers find it. */
export async function makeDatabase(folder: string): Promise<void> {
  const file = path.join(folder, name);
  const { version } = JSON.parse(await readFile(path.join(root, 'package.json'), 'utf8')) as {
    readonly version: string;
  };
  const made = { url: `sqlite:${file}`, migrations, appVersion: version, log: silentLog };
  await (await openStorage(made)).close();
  process.env['TEST_FIRST_DATABASE'] = file;
}

/** Lays it into a new data folder; outside of a run it does nothing. */
export async function layDatabase(data: string): Promise<void> {
  const made = process.env['TEST_FIRST_DATABASE'];
  if (made === undefined || !existsSync(data)) return;
  if (existsSync(path.join(data, 'server.key')) || existsSync(path.join(data, name))) return;
  await copyFile(made, path.join(data, name));
}
