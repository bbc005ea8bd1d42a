/** Each promise of the threat model has a test that defends it, and SECURITY.md promises nothing beyond. */
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';

const root = path.resolve(import.meta.dirname, '../..');
const read = (file: string): string => readFileSync(path.join(root, file), 'utf8');

interface Row {
  readonly promise: string;
  readonly file: string;
  readonly title: string;
  readonly tier: string;
}

/** The cells of the tables of a page, without their heads. */
function cellsOf(page: string): readonly (readonly string[])[] {
  const lines = page.split('\n').filter((line) => line.startsWith('| '));
  const cells = lines.map((line) =>
    line
      .slice(1, -1)
      .split(' | ')
      .map((cell) => cell.trim()),
  );
  return cells.filter(([first = '']) => !/^(promise|attacker|-+)$/.test(first));
}

const page = read('docs/threat-model.md');
const promises = page.slice(page.indexOf('## Promises about plugins'));
const rows: readonly Row[] = cellsOf(promises).map(([promise = '', where = '', tier = 'none']) => {
  const [, file = '', title = ''] = /^`([^`]+)`: (.+)$/.exec(where) ?? [];
  return { promise, file, title, tier };
});

describe('the threat model', () => {
  test('has rows', () => {
    expect(rows.length).toBeGreaterThan(25);
  });

  test.each(rows)('is defended by a test: $promise', ({ file, title, tier }) => {
    expect(['none', 'process', 'landlock', 'namespaces']).toContain(tier);
    expect(file).toMatch(/\.test\.ts$/);
    expect(existsSync(path.join(root, file))).toBe(true);
    const declared = read(file).replaceAll('’', "'");
    expect(declared).toMatch(declarationOf(title.replaceAll('’', "'")));
  });

  test('names each promise once', () => {
    const names = rows.map(({ promise }) => promise);

    expect(new Set(names).size).toBe(names.length);
  });

  test('has every promise of SECURITY.md', () => {
    const security = read('SECURITY.md');
    const [, rest = ''] = security.split('## What is promised');
    const [table = ''] = rest.split('\n## ');
    const told = cellsOf(table).map(([promise = '']) => promise);

    expect(told.length).toBeGreaterThan(8);
    expect(told.filter((promise) => !rows.some((row) => row.promise === promise))).toEqual([]);
  });
});

/** A test of that title, whether it is run for one case or for each of a table. */
function declarationOf(title: string): RegExp {
  const quoted = title.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`);
  return new RegExp(
    String.raw`test[^\n]*\(\s*['"\`][^\n]*${quoted}|\]\)\(\s*['"\`][^\n]*${quoted}`,
  );
}
