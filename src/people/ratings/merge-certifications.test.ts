import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { allows, mergeCertifications, ratingSystems } from './index.ts';
import { rounds } from '../../../test/support/run/nightly.ts';

const every = ratingSystems.flatMap((system) => system.levels.map((level) => ({ system, level })));
const limits = every.map(({ system, level }) => ({ system: system.id, label: level.label }));

/** One part of a certification, in any spelling. */
const part = fc.oneof(
  fc.constantFrom(...every).chain(({ system, level }) => {
    const { id, aliases, countries } = system;
    const labels = fc.constantFrom(level.label, ...level.aliases);
    const names = ['', `${id} `, `${id}:`, ...[...aliases, ...countries].map((one) => `${one}:`)];
    return fc.tuple(fc.constantFrom(...names), labels).map((texts) => texts.join(''));
  }),
  fc.constantFrom('Rated R for language', 'US:TV-14-LV', 'nobody knows', 'Not Rated', 'de/12'),
);
const text = fc
  .tuple(fc.array(part, { minLength: 1, maxLength: 5 }), fc.constantFrom(' / ', '|', '; '))
  .map(([parts, between]) => parts.join(between));

/** The limits that allow an item of this certification. */
const within = (certification: string) =>
  limits.filter((limit) => allows([[limit]], certification));

/** The systems in which it names a level. */
const spoken = (certification: string): ReadonlySet<string> =>
  new Set(within(certification).map(({ system }) => system));

describe('merged certifications', () => {
  test.each([
    [['US:PG-13 / DE:FSK 12'], 'MPAA PG-13 / FSK 12'],
    [['Germany:12/USA:R|UK:15'], 'FSK 12 / MPAA R / BBFC 15'],
    [['PG-13 / DE:FSK 12 / US:PG-13'], 'PG-13 / FSK 12'],
    [['DE:12 / DE:16'], 'FSK 16'],
    [['US:TV-14-LV / FR:10'], 'TV-14 / CNC 10'],
    [['nobody knows / FSK 6'], 'FSK 6'],
    [['DE-12'], 'DE-12'],
    [['  Teen '], 'Teen'],
    [['R', 'DE:16'], 'R / FSK 16'],
    [['FSK 16', 'US:R / DE:12'], 'FSK 16 / MPAA R'],
    [['', 'FSK 6'], 'FSK 6'],
    [[' / '], ''],
    [['x'.repeat(301)], ''],
    [['FSK 16', 'CNC 10 / 18'], 'FSK 16'],
  ])('of %j are %j', (texts, expected) => {
    expect(mergeCertifications(texts)).toBe(expected);
  });

  test('of one text have the level of that text in every system', () => {
    fc.assert(
      fc.property(text, (written) => {
        const gathered = mergeCertifications([written]);
        fc.pre(gathered !== '' && written.length <= 300);
        expect(within(gathered)).toEqual(within(written));
      }),
      { numRuns: rounds(60, 3000) },
    );
  });

  test('of two texts allow no more in a system than the first text that names a level in it', () => {
    fc.assert(
      fc.property(text, text, (first, second) => {
        const gathered = mergeCertifications([first, second]);
        fc.pre(gathered !== '' && first.length <= 300 && second.length <= 300);
        const taken = spoken(first);
        const [both, ofFirst, ofSecond] = [gathered, first, second].map(
          (one) => new Set(within(one).map((limit) => JSON.stringify(limit))),
        );
        for (const limit of limits) {
          const key = JSON.stringify(limit);
          if (taken.has(limit.system)) expect(both?.has(key)).toBe(ofFirst?.has(key));
          else if (both?.has(key) === true) expect(ofSecond?.has(key)).toBe(true);
        }
      }),
      { numRuns: rounds(60, 3000) },
    );
  });
});
