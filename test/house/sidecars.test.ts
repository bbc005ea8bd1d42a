import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { besideMedia, excluding } from '../support/library/named-sidecars.ts';

const page = readFileSync(
  path.resolve(import.meta.dirname, '../../builtin-plugins/sidecars/README.md'),
  'utf8',
);

/** The cells of each row of the table below a heading. */
function rowsBelow(heading: string): readonly (readonly string[])[] {
  const [, section = ''] = page.split(`\n## ${heading}\n`);
  const [table = ''] = /(?:^\|.*\n)+/m.exec(section) ?? [];
  const lines = table.trim().split('\n').slice(2);
  return lines.map((line) =>
    line
      .slice(1, -1)
      .split(' | ')
      .map((cell) => cell.trim()),
  );
}

test('each file that the page of the sidecars names becomes files, and each case stands on the page', () => {
  const rows = rowsBelow('What is read').map(([beside = '', files = '']) => [
    beside,
    [...files.matchAll(/`([^`]+)`/g)].map(([, name]) => name),
  ]);

  expect(Object.fromEntries(rows)).toEqual(
    Object.fromEntries(
      Object.entries(besideMedia).map(([beside, { examples }]) => [beside, Object.keys(examples)]),
    ),
  );
});

test('each file that excludes folders becomes files', () => {
  const rows = rowsBelow('Files that exclude folders from scans').map(([file]) => file);

  expect(rows).toEqual(Object.keys(excluding));
});
