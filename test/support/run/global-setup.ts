import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { buildAll } from '../../../packages/app/cli/build.ts';
import {
  buildClientTypes,
  hasClientTypes,
} from '../../../packages/app/cli/author-kit/client-types.ts';
import { fastFolder } from './fast-folder.ts';
import { makeDatabase } from './first-database.ts';
import { stopServer } from '../storage/postgres.ts';

/**
 * Tests run what `npm start` runs: the built plugin host, guest runtime and built-ins. What they write
 * goes where `TMPDIR` says, else to memory, else to the usual folder.
 */
export default async function setup(): Promise<() => Promise<void>> {
  process.env['TEST_RUN_PID'] = String(process.pid);
  const folder = process.env['TMPDIR'] === undefined ? await fastFolder() : null;
  if (folder !== null) process.env['TMPDIR'] = folder.path;
  await buildAll();
  if (!hasClientTypes()) await buildClientTypes();
  const database = await mkdtemp(path.join(tmpdir(), 'vitrine-database-'));
  await makeDatabase(database);
  return async () => {
    await stopServer();
    await rm(database, { recursive: true });
    await folder?.remove();
  };
}
