import { expect, test } from 'vitest';
import { levelOf, mergeLines } from './log-lines.ts';

const line = (second: number, level: 'debug' | 'info' | 'warn', text: string) => ({
  ...{ time: `2026-03-01T19:30:0${second}.000Z`, level, text, pluginId: null },
});

test('shows the newest lines of a level and above first, each with a key of its own', () => {
  const lines = [
    line(1, 'info', 'a'),
    line(3, 'warn', 'b'),
    line(3, 'warn', 'b'),
    line(2, 'debug', 'c'),
  ];
  const shown = mergeLines(lines, { level: 'info', most: 10 });

  expect(shown.map(({ text }) => text)).toEqual(['b', 'b', 'a']);
  expect(new Set(shown.map(({ key }) => key)).size).toBe(3);
  expect(mergeLines(lines, { level: 'debug', most: 1 })).toHaveLength(1);
});

test('takes a level that it does not know as all but debugging', () => {
  expect(levelOf('loud')).toBe('info');
});
