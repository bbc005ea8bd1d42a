/** The types of the client are those of the API document, and the build writes them. */
import { execFileSync } from 'node:child_process';
import path from 'node:path';
import { expect, test } from 'vitest';
import { clientTypesFile, writeClientTypes } from '../support/client-types/client-types.ts';
import { readApiDocument } from '../support/servers/api-document.ts';

test('the client has a type for each path of the API, and Git ignores the file', async () => {
  const { paths } = JSON.parse(await readApiDocument()) as { readonly paths: object };
  const types = await writeClientTypes();
  const ignored = execFileSync('git', ['check-ignore', clientTypesFile], {
    cwd: path.dirname(clientTypesFile),
    encoding: 'utf8',
  });

  expect(Object.keys(paths).filter((name) => !types.includes(`"${name}": {`))).toEqual([]);
  expect(ignored.trim()).toBe(clientTypesFile);
});
