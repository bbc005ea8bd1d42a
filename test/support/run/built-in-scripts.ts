/**
 * The scripts that the isolates of the built-ins evaluate. A server packs them at its first start and keeps
 * them in its data folder; the servers of a run would all make the same.
 */
import { existsSync } from 'node:fs';
import { cp, mkdir, readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { createPacker } from '../../../kernel/plugins/scripts/packer.ts';
import { silentLog } from '../../../kernel/log.ts';

const builtIns = path.resolve(import.meta.dirname, '../../../dist/builtin-plugins');

/** Makes them in a folder, where the servers of this run and of its workers find them. */
export async function makeScripts(folder: string): Promise<void> {
  const packer = createPacker({ cacheFolder: folder, log: silentLog });
  const names = await readdir(builtIns);
  const sources = names.map((name) => readFile(path.join(builtIns, name, 'index.js'), 'utf8'));
  await Promise.all((await Promise.all(sources)).map(packer.toScript));
  process.env['TEST_SCRIPTS'] = folder;
}

/** Lays them where a first start would, unless there was one; outside of a run it does nothing. */
export async function layScripts(data: string): Promise<void> {
  const made = process.env['TEST_SCRIPTS'];
  const cache = path.join(data, 'cache');
  if (made === undefined || !existsSync(data) || existsSync(cache)) return;
  await mkdir(cache, { mode: 0o700 });
  await cp(made, path.join(cache, 'plugins'), { recursive: true });
}
