/** The types of a folder, by a TypeScript that lies in it or does not. */
import { mkdirSync, symlinkSync } from 'node:fs';
import path from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { createAuthorFolder, type AuthorFolder } from '../../test/support/plugins/author-plugin.ts';
import { reviewTypes } from './plugin-types.ts';

function author(source: string): AuthorFolder {
  const made = createAuthorFolder({}, source);
  onTestFinished(made.remove);
  return made;
}

function installTypescript(folder: string): void {
  mkdirSync(path.join(folder, 'node_modules'));
  const ours = path.resolve(import.meta.dirname, '../../node_modules/typescript');
  symlinkSync(ours, path.join(folder, 'node_modules/typescript'));
}

const options = { lib: ['es2023'], types: [], strict: true, skipLibCheck: true };

test('each error of types has its file and line, and a folder without one has nothing to say', async () => {
  const { folder, write } = author("export const year: number = 'text';\n\nexport default yaer;");
  installTypescript(folder);
  expect(await reviewTypes(folder)).toEqual([]);
  write('tsconfig.json', JSON.stringify({ compilerOptions: options }));

  expect(await reviewTypes(folder)).toEqual([
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
  expect(await reviewTypes(folder)).toEqual([]);
}, 60_000);

test('a tsconfig.json that does not hold is told like an error of types', async () => {
  const { folder, write } = author('export default {};');
  installTypescript(folder);
  write('tsconfig.json', JSON.stringify({ compilerOptions: { ...options, tarket: 'es2023' } }));

  expect(await reviewTypes(folder)).toEqual([
    expect.objectContaining({ code: 'types-wrong', message: expect.stringContaining('tarket') }),
  ]);
}, 60_000);

test('without TypeScript in reach one line says that types were not checked', async () => {
  const { folder, write } = author("export const year: number = 'text';");
  write('tsconfig.json', JSON.stringify({ compilerOptions: options }));

  expect(await reviewTypes(folder)).toEqual([
    {
      level: 'warning',
      code: 'types-unchecked',
      message: expect.stringMatching(/^Types were not checked: typescript is not installed/),
    },
  ]);
});
