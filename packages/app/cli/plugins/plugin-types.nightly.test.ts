/** The types of a folder, by a TypeScript that lies in it or does not. */
import { mkdirSync, symlinkSync } from 'node:fs';
import path from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import {
  createAuthorFolder,
  type AuthorFolder,
} from '../../../../test/support/plugins/author-plugin.ts';
import { reviewTypes } from './plugin-types.ts';

function author(source: string): AuthorFolder {
  const made = createAuthorFolder({}, source);
  onTestFinished(made.remove);
  return made;
}

function installTypescript(folder: string): void {
  mkdirSync(path.join(folder, 'node_modules'));
  const ours = path.resolve(import.meta.dirname, '../../../../node_modules/typescript');
  symlinkSync(ours, path.join(folder, 'node_modules/typescript'));
}

const options = { lib: ['es2023'], types: [], strict: true, skipLibCheck: true };

test('each error of types has its file and line, and a folder without one has nothing to say', async () => {
  const { folder, write } = author("export const year: number = 'text';\n\nexport default yaer;");
  installTypescript(folder);
  write('tsconfig.json', JSON.stringify({ compilerOptions: options }));

  expect(await reviewTypes(folder, path.join(folder, 'index.ts'))).toEqual([
    {
      level: 'error',
      code: 'types-wrong',
      message: expect.stringMatching(/^index\.ts:1:14: TS2322: Type 'string' is not assignable/),
    },
    {
      level: 'error',
      code: 'types-wrong',
      message: expect.stringMatching(/^index\.ts:3:16: TS2304: Cannot find name 'yaer'/),
    },
  ]);

  write('index.ts', "export default 'right';");
  expect(await reviewTypes(folder, path.join(folder, 'index.ts'))).toEqual([]);
}, 60_000);

test('a tsconfig.json that does not hold is told like an error of types', async () => {
  const { folder, write } = author('export default {};');
  installTypescript(folder);
  write('tsconfig.json', JSON.stringify({ compilerOptions: { ...options, tarket: 'es2023' } }));

  expect(await reviewTypes(folder, path.join(folder, 'index.ts'))).toEqual([
    expect.objectContaining({ code: 'types-wrong', message: expect.stringContaining('tarket') }),
  ]);
}, 60_000);

test('without TypeScript in reach one line says that types were not checked', async () => {
  const { folder, write } = author("export const year: number = 'text';");
  write('tsconfig.json', JSON.stringify({ compilerOptions: options }));

  expect(await reviewTypes(folder, path.join(folder, 'index.ts'))).toEqual([
    {
      level: 'warning',
      code: 'types-unchecked',
      message: expect.stringMatching(/^Types were not checked: typescript is not installed/),
    },
  ]);
});

test('TypeScript without a tsconfig.json is checked as that of the templates', async () => {
  const { folder, write } = author("export const year: number = 'text';\n\nexport default {};");
  installTypescript(folder);
  const entry = path.join(folder, 'index.ts');
  const wrong = await reviewTypes(folder, entry);
  write('index.ts', "console.log(new URL('a:b').href);\nexport default {};");

  expect(wrong).toEqual([
    expect.objectContaining({
      code: 'types-wrong',
      message: expect.stringMatching(/^index\.ts:1:14: TS2322/),
    }),
  ]);
  expect(await reviewTypes(folder, entry)).toEqual([]);
  expect(await reviewTypes(folder, path.join(folder, 'index.js'))).toEqual([]);
  write(
    'index.ts',
    "import { definePlugin } from '@vitrine/plugin-api';\nexport default definePlugin({});",
  );
  expect(await reviewTypes(folder, entry)).toEqual([
    expect.objectContaining({ code: 'types-unchecked' }),
  ]);
}, 60_000);
