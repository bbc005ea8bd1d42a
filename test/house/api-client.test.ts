/** The types of the client are those of the API document. */
import path from 'node:path';
import openapi, { astToString } from 'openapi-typescript';
import { expect, test } from 'vitest';
import { readApiDocument } from '../support/servers/api-document.ts';

const file = path.resolve(import.meta.dirname, '../../packages/client/api.ts');
const head = '/* Written by `npm run vitrine -- task client` from the API document. */\n';

test('packages/client/api.ts is current; `npm run vitrine -- task client` writes it', async () => {
  const types = astToString(
    await openapi(await readApiDocument(), { immutable: true, defaultNonNullable: false }),
  );

  await expect(head + types).toMatchFileSnapshot(file);
});
