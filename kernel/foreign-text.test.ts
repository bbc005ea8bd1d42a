import { describe, expect, test } from 'vitest';
import { guestWords, pathText, quoted } from './foreign-text.ts';

describe('foreign text', () => {
  test('cannot forge a log line, move a cursor or reverse the reading order', () => {
    expect(guestWords('a\n2026 INFO forged\u001b[2J\u202egnp\u2028b')).toBe(
      'a 2026 INFO forged [2J gnp b',
    );
  });

  test('is cut to 500 characters, and a quoted name to 64', () => {
    expect(guestWords('x'.repeat(600))).toHaveLength(500);
    expect(quoted('x'.repeat(600))).toBe(`"${'x'.repeat(64)}…"`);
  });

  test('reads as a path, with strange keys in quotes', () => {
    expect(pathText([])).toBe('value');
    expect(pathText(['assets', '3', 'uri'])).toBe('assets[3].uri');
    expect(pathText(['fields', 'a.b', 'c'])).toBe('fields["a.b"].c');
  });
});
