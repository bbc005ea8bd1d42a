import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { RatingLimit } from './index.ts';
import { allows, isAtMost, limitText, parseRatingLimit, ratingIn, ratingSystems } from './index.ts';
import { keyOf, readers } from './read-certification.ts';

const limit = (system: string, label: string): RatingLimit => ({ system, label });
const within = (one: RatingLimit, certification: string | null): boolean =>
  allows([[one]], certification);
const every = ratingSystems.flatMap((system) => system.levels.map((level) => ({ system, level })));

describe('the tables of rating systems', () => {
  test.each(ratingSystems)('$id is ordered from mild to strict, with unique labels', (system) => {
    const ages = system.levels.map(({ age }) => age);
    expect(ages).toEqual(ages.toSorted((one, other) => one - other));

    const labels = system.levels.map(({ label }) => label);
    expect(new Set(labels).size).toBe(labels.length);
    expect(system.source).toMatch(/^https?:\/\//);
  });

  test.each(ratingSystems)('$id has no spelling for two of its levels', ({ levels }) => {
    const levelIndexes = new Map<string, number>();
    for (const [index, { label, aliases }] of levels.entries()) {
      for (const text of [label, ...aliases]) {
        expect({ text, index: levelIndexes.get(keyOf(text)) ?? index }).toEqual({ text, index });
        levelIndexes.set(keyOf(text), index);
      }
    }
  });

  test('have no qualified spelling that another system also has', () => {
    const owner = new Map<string, string>();
    for (const { system, named } of readers.values()) {
      for (const key of named.keys()) {
        expect({ key, owner: owner.get(key) ?? system.id }).toEqual({ key, owner: system.id });
        owner.set(key, system.id);
      }
    }
    for (const { system, bare } of readers.values()) {
      for (const key of bare.keys())
        expect({ key, owner: owner.get(key) ?? system.id }).toEqual({ key, owner: system.id });
    }
  });
});

describe('a maximum rating', () => {
  test.each([
    ['PG-13', 'MPAA', 'PG-13'],
    ['pg-13', 'MPAA', 'PG-13'],
    [' NC-17 ', 'MPAA', 'NC-17'],
    ['MPAA PG', 'MPAA', 'PG'],
    ['US:PG', 'MPAA', 'PG'],
    ['TV-14', 'TV', 'TV-14'],
    ['tv-y7', 'TV', 'TV-Y7'],
    ['TV-MA', 'TV', 'TV-MA'],
    ['FSK 12', 'FSK', '12'],
    ['FSK:12', 'FSK', '12'],
    ['fsk-12', 'FSK', '12'],
    ['de/12', 'FSK', '12'],
    ['DE:FSK 12', 'FSK', '12'],
    ['FSK ab 12', 'FSK', '12'],
    ['BBFC 12A', 'BBFC', '12'],
    ['GB:15', 'BBFC', '15'],
    ['PEGI 7', 'PEGI', '7'],
    ['ESRB E10+', 'ESRB', 'E10+'],
    ['MA15+', 'ACB', 'MA 15+'],
    ['CNC TP', 'CNC', 'TP'],
    ['Tous publics', 'CNC', 'TP'],
    ['Kijkwijzer AL', 'Kijkwijzer', 'AL'],
    ['IIB', 'OFNAA', 'IIB'],
    ['M/12', 'IGAC', 'M/12'],
    ['U/A', 'CBFC', 'UA'],
    ['14A', 'CHVRS', '14A'],
    ['ＦＳＫ　１２', 'FSK', '12'],
  ])('%j is %s %s', (text, system, label) => {
    expect(parseRatingLimit(text)).toEqual(limit(system, label));
  });

  test.each(every)('$system.id $level.label is read back as itself', ({ system, level }) => {
    const one = limit(system.id, level.label);
    expect(parseRatingLimit(limitText(one))).toEqual(one);
    for (const name of [...system.aliases, ...system.countries])
      for (const label of [level.label, ...level.aliases])
        expect(parseRatingLimit(`${name}:${label}`)).toEqual(one);
  });

  test.each([
    ['12', 'one of BBFC 12, IFCO 12, FSK 12, USK 12, PEGI 12'],
    ['PG', 'one of MPAA PG, CHVRS PG, BBFC PG, IFCO PG, ACB PG'],
    ['PG13', 'one of MPAA PG-13, IMDA PG13.'],
    ['R18+', 'one of ACB R 18+, Eirin R18+.'],
    ['A', 'one of CHVRS A, RTC A, '],
  ])(
    '%j is refused, because several systems have it, and the message names them',
    (text, named) => {
      expect(() => parseRatingLimit(text)).toThrow(
        expect.objectContaining({
          code: 'invalid_request',
          message: expect.stringContaining(named),
        }),
      );
    },
  );

  test.each([
    ['PG', 'US', 'MPAA PG'],
    ['PG', 'gb', 'BBFC PG'],
    ['pg', 'AU', 'ACB PG'],
    ['12', 'DE', 'FSK 12'],
    ['PG', 'DE', 'PG'],
    ['PG', null, 'PG'],
    ['PG-13', 'GB', 'PG-13'],
    ['nothing', 'US', 'nothing'],
  ])('%j is read in the country %s as %s', (text, country, named) => {
    expect(ratingIn(country, text)).toBe(named);
  });

  test.each([
    '',
    ' ',
    'PG-14',
    'FSK 13',
    'FSK',
    'none',
    'NR',
    '__proto__',
    'constructor',
    'ä'.repeat(1000),
  ])('%j is refused, because no system has it', (text) => {
    expect(() => parseRatingLimit(text, 'libraryAccess.0.maxRating')).toThrow(
      /^libraryAccess\.0\.maxRating: ".*" is not a known rating; write one such as PG-13,/,
    );
  });
});

describe('an item', () => {
  test.each(ratingSystems)(
    'is within $id up to its level and not above',
    ({ id, levels, countries }) => {
      for (const [highest, { label }] of levels.entries()) {
        for (const [index, { label: own, aliases }] of levels.entries()) {
          for (const text of [own, ...aliases]) {
            const spellings = [`${id} ${text}`, `${id}:${text}`, `${id}-${text}`.toLowerCase()];
            if (countries[0] !== undefined)
              spellings.push(`${countries[0]}:${text}`, `${countries[0]}/${text}`.toLowerCase());
            for (const spelling of spellings)
              expect({ label, spelling, isIn: within(limit(id, label), spelling) }).toEqual({
                label,
                spelling,
                isIn: index <= highest,
              });
          }
        }
      }
    },
  );

  test.each(ratingSystems)(
    'is excluded by $id when only another system rates it',
    ({ id, levels }) => {
      const top = limit(id, levels.at(-1)?.label ?? '');
      for (const other of every.filter(({ system }) => system.id !== id))
        expect(within(top, `${other.system.id} ${other.level.label}`)).toBe(false);
    },
  );

  test.each([
    ['PG-13', true],
    ['Rated PG-13', true],
    ['Rated PG-13 for intense sequences of violence, and language', true],
    ['Rated R for strong violence, and for PG-13 reasons', false],
    ['US:PG-13 / DE:FSK 12', true],
    ['US:PG-13/DE:FSK 16', true],
    ['DE:FSK 12 | US:PG', true],
    ['United States:PG-13; Germany:16', true],
    ['us/PG-13', true],
    ['pg13', true],
    ['G', true],
    ['PG', true],
    ['R', false],
    ['US:PG / US:R', false],
    ['PG, R', false],
    ['DE:12', false],
    ['TV-14', false],
    ['NR', false],
    ['UR', false],
    ['Not Rated', false],
    ['Unrated', false],
    ['Approved', false],
    ['', false],
    ['PG-13+1', false],
    ['PG-13 R', false],
    [`PG-13${' '.repeat(400)}`, false],
    [null, false],
  ])('certified %j is within PG-13: %j', (certification, isIn) => {
    expect(within(limit('MPAA', 'PG-13'), certification)).toBe(isIn);
  });

  test.each([
    ['12', true],
    ['FSK 12', true],
    ['FSK-12', true],
    ['FSK12', true],
    ['de/12', true],
    ['DE-12', true],
    ['ab 12', true],
    ['Freigegeben ab 12 Jahren', true],
    ['o.Al.', true],
    ['16', false],
    ['gb/12', false],
    ['PEGI 7', false],
    ['US:PG-13 / DE:FSK 12', true],
    ['US:PG / DE:FSK 16', false],
  ])('certified %j is within FSK 12: %j', (certification, isIn) => {
    expect(within(limit('FSK', '12'), certification)).toBe(isIn);
  });

  test.each([
    ['TV-14', true],
    ['TV-14-LV', true],
    ['TV-14 (DLSV)', true],
    ['US:TV-PG-V', true],
    ['TV-Y7-FV', true],
    ['TV-MA', false],
    ['TV-MA-LSV', false],
    ['PG-13', false],
  ])('certified %j is within TV-14: %j', (certification, isIn) => {
    expect(within(limit('TV', 'TV-14'), certification)).toBe(isIn);
  });

  test.each([
    ['MCCYP', 'A', 'A'],
    ['IT', 'T', 'T'],
    ['KAVI', 'S', 'S'],
    ['ACB', 'C', 'C'],
    ['RTC', 'AA', 'AA'],
  ])(
    'is excluded by %s %s with a bare %j, which means adults only elsewhere',
    (system, label, bare) => {
      expect(within(limit(system, label), bare)).toBe(false);
      expect(within(limit(system, label), `${system} ${bare}`)).toBe(true);
    },
  );

  test('must meet every group of an admission, and any limit of a group', () => {
    const [fsk12, pg13, g] = [limit('FSK', '12'), limit('MPAA', 'PG-13'), limit('MPAA', 'G')];

    expect(allows([[fsk12, pg13]], 'PG-13')).toBe(true);
    expect(allows([[fsk12], [pg13]], 'PG-13')).toBe(false);
    expect(allows([[fsk12], [pg13]], 'US:PG-13 / DE:12')).toBe(true);
    expect(allows([[pg13], [g]], 'PG')).toBe(false);
    expect(allows([[pg13], [g]], 'G')).toBe(true);
  });

  test('is within an admission without a limit, rated or not', () => {
    expect(allows([], null)).toBe(true);
    expect(allows([], 'R')).toBe(true);
  });

  test('is excluded by an unknown limit', () => {
    expect(within(limit('FSK', '13'), 'FSK 0')).toBe(false);
    expect(within(limit('nobody', '12'), '12')).toBe(false);
    expect(within(limit('__proto__', '12'), '12')).toBe(false);
    expect(allows([[]], 'G')).toBe(false);
  });

  test('never causes an exception with any certification', () => {
    const anyLimit = fc.constantFrom(
      ...every.map(({ system, level }) => limit(system.id, level.label)),
    );
    fc.assert(
      fc.property(anyLimit, fc.string({ maxLength: 400 }), (one, text) => {
        expect(typeof within(one, text)).toBe('boolean');
      }),
    );
  });

  test('is never allowed by a lower limit of a system when a higher one refuses it', () => {
    const texts = fc.constantFrom(
      ...every.flatMap(({ system, level }) => [
        level.label,
        `${system.id} ${level.label}`,
        ...level.aliases,
      ]),
    );
    fc.assert(
      fc.property(
        fc.constantFrom(...ratingSystems),
        fc.array(texts, { maxLength: 4 }),
        (system, parts) => {
          const answers = system.levels.map(({ label }) =>
            within(limit(system.id, label), parts.join(' / ')),
          );
          expect(answers).toEqual(answers.toSorted());
        },
      ),
      { numRuns: 2000 },
    );
  });
});

describe('one limit', () => {
  test('is at most an equal or higher one of its system, and never one of another system', () => {
    expect(isAtMost(limit('FSK', '6'), limit('FSK', '12'))).toBe(true);
    expect(isAtMost(limit('FSK', '12'), limit('FSK', '12'))).toBe(true);
    expect(isAtMost(limit('FSK', '16'), limit('FSK', '12'))).toBe(false);
    expect(isAtMost(limit('BBFC', '12'), limit('FSK', '12'))).toBe(false);
    expect(isAtMost(limit('FSK', '13'), limit('FSK', '16'))).toBe(false);
  });
});
