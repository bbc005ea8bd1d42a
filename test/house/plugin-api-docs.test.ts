/** The comments of plugin-api are its reference: each export has one, and its README leads to each file. */
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { apiReference } from '../support/pages/api-reference.ts';

const source = path.resolve(import.meta.dirname, '../../plugin-api');

let pages: ReadonlyMap<string, string>;

beforeAll(async () => {
  pages = await apiReference();
});

test('each export has a comment that says what it is', () => {
  const sections = [...pages.values()].flatMap((text) => text.split(/^## /m).slice(1));
  const silent = sections.filter((section) => /^[^\n]+\n\n```/.test(section));

  expect(sections.length).toBeGreaterThan(150);
  expect(silent.map((section) => section.split('\n')[0])).toEqual([]);
});

test('each link of the reference leads to one of its sections', () => {
  for (const [page, text] of pages)
    for (const [, to = '', heading = ''] of text.matchAll(/\]\(([a-z-]*(?:\.md)?)#([^)]+)\)/g))
      expect(pages.get(to === '' ? page : to)?.toLowerCase()).toContain(`## ${heading}\n`);
});

test('the README leads to each file', () => {
  const readme = readFileSync(path.join(source, 'README.md'), 'utf8');
  const files = ['', 'host/'].flatMap((folder) =>
    readdirSync(path.join(source, folder))
      .filter((name) => /^(?!index\.).*(?<!\.test|\.d)\.ts$/.test(name))
      .map((name) => `${folder}${name}`),
  );

  expect(files.filter((file) => !readme.includes(`](${file})`))).toEqual([]);
});
