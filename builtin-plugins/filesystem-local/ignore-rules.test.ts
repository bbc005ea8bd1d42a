import { describe, expect, test } from 'vitest';
import { parseIgnoreRules } from './ignore-rules.ts';

/** Whether the lines exclude the path; a slash at its end makes it a folder. */
function leavesOut(lines: string, path: string): boolean {
  const isFolder = path.endsWith('/');
  const name = isFolder ? path.slice(0, -1) : path;
  return parseIgnoreRules(lines).verdict(name, isFolder) === 'out';
}

describe('the patterns of an ignore file', () => {
  test.each<[lines: string, path: string, isOut: boolean]>([
    ['*.mkv', 'a.mkv', true],
    ['*.mkv', 'b/c/a.mkv', true],
    ['*.mkv', 'a.mkv.part', false],
    ['*.MKV', 'a.mkv', true],
    ['sample', 'sample', true],
    ['sample', 'b/Sample/', true],
    ['sample', 'samples', false],
    ['sample/', 'sample/', true],
    ['sample/', 'sample', false],
    ['/sample', 'sample', true],
    ['/sample', 'b/sample', false],
    ['b/sample', 'b/sample', true],
    ['b/sample', 'a/b/sample', false],
    ['b/*', 'b/c', true],
    ['b/*', 'b/c/d', false],
    ['b/**', 'b/c/d', true],
    ['b/**', 'b/c', true],
    ['b/**', 'b/', false],
    ['b/**\n!b/keep', 'b/keep', false],
    ['**/c/*.srt', 'a/b/c/d.srt', true],
    ['a/**/d', 'a/d', true],
    ['a/**/d', 'a/b/c/d', true],
    ['season ??', 'Season 01/', true],
    ['season ??', 'Season 1/', false],
    ['*sample*', 'film-sample.mkv', true],
    ['*.srt\n!keep.srt', 'keep.srt', false],
    ['*.srt\n!keep.srt', 'other.srt', true],
    ['!keep.srt\n*.srt', 'keep.srt', true],
    ['# *.mkv\n\n   \n', 'a.mkv', false],
    ['\ufeffextras\r\n', 'extras/', true],
    ['!', 'a', false],
    ['/', 'a', false],
    ['[a-z]', 'b', false],
  ])('%j excludes %j: %s', (lines, path, isOut) => {
    expect(leavesOut(lines, path)).toBe(isOut);
  });

  test('take no longer for patterns with much backtracking', () => {
    const stars = '*a'.repeat(150);
    const path = 'a'.repeat(4000);
    const begin = process.cpuUsage();

    expect(leavesOut(`${stars}b`, path)).toBe(false);
    expect(leavesOut(`${'**/a/'.repeat(60)}b`, 'a/'.repeat(500) + 'a')).toBe(false);
    expect(process.cpuUsage(begin).user / 1000).toBeLessThan(500);
  });
});
