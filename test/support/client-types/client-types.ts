/** The types of the client, which the build writes from the API document. No repository holds them. */
import { existsSync } from 'node:fs';
import { readFile, rename, writeFile } from 'node:fs/promises';
import path from 'node:path';
import openapi, { astToString } from 'openapi-typescript';
import { readApiDocument } from '../servers/api-document.ts';

/** Where the client has them; Git ignores it. */
export const clientTypesFile = path.resolve(
  import.meta.dirname,
  '../../../packages/app/client/api.generated.ts',
);
const head = '/* Written by the build from the API document. */\n';

/** Writes them unless they are there and current; gives them. */
export async function writeClientTypes(): Promise<string> {
  const options = { immutable: true, defaultNonNullable: false };
  const types = head + astToString(await openapi(await readApiDocument(), options));
  const before = existsSync(clientTypesFile) ? await readFile(clientTypesFile, 'utf8') : null;
  if (before === types) return types;
  // Another process may compile them meanwhile.
  const staged = `${clientTypesFile}.${process.pid}`;
  await writeFile(staged, types);
  await rename(staged, clientTypesFile);
  return types;
}
