/** Code and pages use plain English: none of the words that `docs/contributors/CONVENTIONS.md` rules out. */
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';

const root = path.resolve(import.meta.dirname, '../..');

/** A phrase, and what to write in its place. */
const phrases: readonly (readonly [RegExp, string])[] = [
  [/\bwho(?:so|m)?ever\b/i, 'name the person or the part: "the user who", "a caller that"'],
  [/\bwhat(?:so)?ever\b/i, 'say what it is: "any value", "all that"'],
  [/\banew\b/i, '"again"'],
  [/\b(?:is|are|was|were) none of\b/i, '"is not one of"'],
  [/rehears(?:e|al)/i, '"test harness"'],
  [/\bsight\b|[a-z]Sight\b/, '"visibility", or "inspection"'],
  [/\bof which nothing\b/i, 'a sentence of its own, with a subject'],
  [/\bnobody\b[^.\n]*\bany ?more\b/i, '"no longer", with the subject that it is about'],
  [
    /(?<!\bthere |\bthere')\b(?:is|are|was|were) no (?!longer\b|more than\b|such\b|less\b|fewer\b|later\b|earlier\b|larger\b|older\b|newer\b|further\b)[a-z]/i,
    '"is not a"',
  ],
];

/** Pages that list the words in order to rule them out, and texts of others. */
const exempt = new Set(['docs/contributors/CONVENTIONS.md', 'test/house/plain-words.test.ts']);
const isRead = (file: string): boolean =>
  /\.(?:ts|mjs|js|md|html|css|json)$/.test(file) &&
  !exempt.has(file) &&
  !file.endsWith('package-lock.json') &&
  !file.includes('/fixtures/');

const files = execFileSync('git', ['ls-files', '-z'], { cwd: root, encoding: 'utf8' })
  .split('\0')
  .filter(isRead);

/** Each line of a file in which a phrase stands, as `file:line: phrase, write …`. */
function findingsIn(file: string): readonly string[] {
  return readFileSync(path.join(root, file), 'utf8')
    .split('\n')
    .flatMap((line, at) =>
      phrases.flatMap(([phrase, instead]) => {
        const found = phrase.exec(line)?.[0];
        return found === undefined ? [] : [`${file}:${at + 1}: "${found}", write ${instead}`];
      }),
    );
}

describe('code and pages', () => {
  test('are all looked at', () => {
    expect(files.length).toBeGreaterThan(2000);
    expect(files).toContain('README.md');
    expect(files).toContain('kernel/call/dispatch.ts');
  });

  test('use plain words', () => {
    expect(files.flatMap(findingsIn)).toEqual([]);
  });

  test.each([
    ['Whoever asks', 1],
    ['This is no folder.', 1],
    ['There is no folder.', 0],
    ['It is no longer there.', 0],
    ['nobody waits for it any more', 1],
    ['it is none of those', 1],
    ['openRehearsal(parts)', 1],
    ['readonly sight: Visibility', 1],
    ['an oversight', 0],
  ])('"%s" is judged', (line, count) => {
    expect(phrases.filter(([phrase]) => phrase.test(line))).toHaveLength(count);
  });
});
