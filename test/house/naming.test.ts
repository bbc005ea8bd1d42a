import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { naming } from '../support/library/named-files.ts';

test('each row of docs/naming.md becomes files, and each case stands on the page', () => {
  const page = readFileSync(path.resolve(import.meta.dirname, '../../docs/naming.md'), 'utf8');
  const rows = [...page.matchAll(/^\| (`.*?) +\|/gm)].map(([, cell]) => cell ?? '');

  expect(rows.filter((row) => !(row in naming))).toEqual([]);
  expect(Object.keys(naming).filter((words) => !page.includes(words))).toEqual([]);
});
