import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { everyEvent, parsePattern } from './index.ts';
import { catalogueNames } from './event-name.ts';

function matches(pattern: string, name: string): boolean {
  const parsed = parsePattern(pattern);
  if (!parsed.ok) throw new Error(parsed.reason);
  return parsed.pattern.matches(name);
}

describe('an event pattern', () => {
  test.each([
    ['library.item.*', 'library.item.added', true],
    ['library.item.*', 'library.item', false],
    ['library.item.*', 'library.item.added.twice', false],
    ['*.item.added', 'library.item.added', true],
    ['library.*', 'library.created', true],
    ['library.*', 'library.item.added', false],
    ['library.item.added', 'library.item.added', true],
    ['library.item.added', 'library.item.updated', false],
    ['plugin.demo.done', 'plugin.demo.done', true],
  ])('%s against %s is %s', (pattern, name, expected) => {
    expect(matches(pattern, name)).toBe(expected);
  });

  test.each([
    ['li*.added', '* stands for a whole segment, not for a part of one as in "li*"'],
    ['library.**', '* stands for a whole segment, not for a part of one as in "**"'],
    ['', 'is not made of letters, digits and * in segments parted by dots'],
    ['library..added', 'is not made of letters, digits and * in segments parted by dots'],
    ['library.item.', 'is not made of letters, digits and * in segments parted by dots'],
    ['library/item', 'is not made of letters, digits and * in segments parted by dots'],
    ['library.item.burned', 'is neither in the catalogue nor named plugin.<slug>.<name>'],
    ['plugin.Demo.done', 'is neither in the catalogue nor named plugin.<slug>.<name>'],
    ['plugin.demo.a.b', 'is neither in the catalogue nor named plugin.<slug>.<name>'],
    ['*.'.repeat(150) + '*', 'is longer than 200 characters'],
  ])('refuses %j and says why', (text, reason) => {
    const parsed = parsePattern(text);

    expect(parsed).toEqual({ ok: false, reason: expect.stringContaining(reason) });
  });

  test('a * matches exactly one segment, for any name and any choice of segments', () => {
    const segment = fc.stringMatching(/^[a-zA-Z0-9]{1,6}$/);
    const pairs = fc.array(fc.record({ segment, isStar: fc.boolean() }), {
      minLength: 1,
      maxLength: 5,
    });
    fc.assert(
      fc.property(pairs, fc.array(segment, { minLength: 1, maxLength: 5 }), (parts, other) => {
        fc.pre(parts.some(({ isStar }) => isStar));
        const pattern = parts.map((part) => (part.isStar ? '*' : part.segment)).join('.');
        const name = parts.map((part) => part.segment).join('.');
        const oracle = new RegExp(`^${pattern.replaceAll('.', '\\.').replaceAll('*', '[^.]+')}$`);

        expect(matches(pattern, name)).toBe(true);
        expect(matches(pattern, `${name}.more`)).toBe(false);
        expect(matches(pattern, other.join('.'))).toBe(oracle.test(other.join('.')));
      }),
    );
  });

  test('every event of the catalogue and every custom event is heard by exactly one of everyEvent', () => {
    for (const name of [...catalogueNames, 'plugin.demo.done']) {
      expect(everyEvent.filter((pattern) => matches(pattern, name))).toHaveLength(1);
    }
  });
});
