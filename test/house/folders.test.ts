/** A folder can be read at a glance: one with many files has areas within it. */
import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';

const root = path.resolve(import.meta.dirname, '../..');

/** The code files that a folder may hold; tests beside them are not counted. */
const mostFiles = 40;

const files = execFileSync(
  'git',
  ['ls-files', '-z', 'kernel', 'src', 'packages', 'plugin-api', 'builtin-plugins', 'test'],
  { cwd: root, encoding: 'utf8' },
)
  .split('\0')
  .filter((file) => /\.(?:ts|tsx|js|mjs)$/.test(file) && !file.endsWith('.test.ts'));

const widths = new Map<string, number>();
for (const folder of files.map((file) => path.dirname(file)))
  widths.set(folder, (widths.get(folder) ?? 0) + 1);

test('all folders are looked at', () => {
  expect(widths.size).toBeGreaterThan(100);
  expect([...widths.keys()]).toContain('kernel/store');
});

test('a folder holds few code files', () => {
  const wide = [...widths]
    .filter(([, count]) => count > mostFiles)
    .map(([folder, count]) => `${folder} holds ${count} code files`);

  expect(wide).toEqual([]);
});

test('no code has a name that npm packs although the package leaves it out', () => {
  const packed = files.filter((file) => /(^|\/)(readme|copying|licen[cs]e)\.\w+$/i.test(file));

  expect(packed.filter(isOfPackage)).toEqual([]);
});

/** Whether it stands beside a `package.json`. */
const isOfPackage = (file: string): boolean =>
  existsSync(path.join(root, path.dirname(file), 'package.json'));
