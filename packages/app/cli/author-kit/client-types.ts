/**
 * The types of the client, written from the API document. Git ignores them, and a server does not need
 * them: only what checks or publishes types does, with the development packages.
 */
import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { sourceStamp } from '../build-stamp.mjs';

const root = path.resolve(import.meta.dirname, '../../../..');
const types = path.join(root, 'packages/app/client/api.generated.ts');
const writer = path.join(root, 'test/support/client-types/write.ts');
const stampFile = path.join(root, 'dist/client-types');

/** Whether the development packages that write them are installed. */
export const canBuildClientTypes = (): boolean =>
  existsSync(path.join(root, 'node_modules/openapi-typescript/package.json'));

/** Whether they are there, current or not. */
export const hasClientTypes = (): boolean => existsSync(types);

/** Writes them, unless the sources did not change since. */
export async function buildClientTypes(): Promise<void> {
  const stamp = sourceStamp(root);
  const before = await readFile(stampFile, 'utf8').catch(() => null);
  if (hasClientTypes() && before === stamp) return;
  await promisify(execFile)(process.execPath, [writer], { cwd: root });
  await mkdir(path.dirname(stampFile), { recursive: true });
  await writeFile(stampFile, stamp);
}
