/** `docs/plugin-api/` says what the comments of plugin-api say today (`npm run vitrine -- task docs` writes it). */
import { readdir } from 'node:fs/promises';
import path from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { apiReference } from '../support/pages/api-reference.ts';

const folder = path.resolve(import.meta.dirname, '../../docs/plugin-api');

let pages: ReadonlyMap<string, string>;

beforeAll(async () => {
  pages = await apiReference();
});

test('each page is as committed', async () => {
  for (const [name, text] of pages) {
    await expect(text).toMatchFileSnapshot(path.join(folder, name));
  }
});

test('there is no page of a removed module', async () => {
  expect((await readdir(folder)).sort()).toEqual([...pages.keys()].sort());
});
