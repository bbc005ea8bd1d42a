import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type {
  Bundle,
  BundleDelta,
  ScanPrepareDelta,
  ScanPrepareInput,
} from '../../../plugin-api/index.ts';
import { mergeDelta } from './index.ts';
import { mergeScanDelta } from './merge-delta.ts';

const empty: Bundle = {
  files: { media: [], auxiliary: [] },
  fields: {},
  ids: {},
  assets: [],
  subtitles: [],
  entities: {},
};

const key = fc.oneof(
  fc.string({ maxLength: 8 }),
  fc.constantFrom('title', 'year', '__proto__', 'constructor', 'toString', 'hasOwnProperty'),
);
const map = <T>(value: fc.Arbitrary<T>) => fc.dictionary(key, value, { maxKeys: 5 });
const name = fc.string({ minLength: 1, maxLength: 8 });
const assets = fc.array(fc.record({ type: name, uri: name, source: name }), { maxLength: 4 });
const subtitles = fc.array(
  fc.record({ type: fc.constant('external' as const), format: name, source: name }),
  { maxLength: 4 },
);
const entities = map(
  fc.array(fc.record({ name, status: fc.constant('pending'), source: name }), { maxLength: 3 }),
);
const chapters = fc.array(fc.record({ startTime: fc.nat() }), { maxLength: 4 });
const auxiliary = fc.array(
  fc.record({ uri: name, path: name, extension: name, sourcePlugin: name }),
  { maxLength: 3 },
);
const fields = map(fc.jsonValue());
const ids = map(fc.oneof(fc.constant(true as const), fc.record({ id: name })));

const delta: fc.Arbitrary<BundleDelta> = fc.record(
  { files: fc.record({ auxiliary }), fields, ids, assets, subtitles, entities, chapters },
  { requiredKeys: [] },
);
const bundle: fc.Arbitrary<Bundle> = fc.record(
  {
    files: fc.record({ media: fc.constant([]), auxiliary }),
    fields,
    ids,
    assets,
    subtitles,
    entities,
    chapters,
  },
  { requiredKeys: ['files', 'fields', 'ids', 'assets', 'subtitles', 'entities'] },
);

const lists = ['assets', 'subtitles', 'chapters'] as const;

describe('mergeDelta', () => {
  test('appends collections, in order, behind what is there', () => {
    fc.assert(
      fc.property(bundle, delta, (before, added) => {
        const after = mergeDelta(before, added);

        for (const list of lists) {
          expect(after[list] ?? []).toEqual([...(before[list] ?? []), ...(added[list] ?? [])]);
        }
        expect(after.files.auxiliary).toEqual([
          ...before.files.auxiliary,
          ...(added.files?.auxiliary ?? []),
        ]);
        expect(after.files.media).toBe(before.files.media);
      }),
    );
  });

  test('appends entities per role, and keeps the roles that the delta does not name', () => {
    fc.assert(
      fc.property(bundle, delta, (before, added) => {
        const after = mergeDelta(before, added);

        const roles = new Set([
          ...Object.keys(before.entities),
          ...Object.keys(added.entities ?? {}),
        ]);
        expect(new Set(Object.keys(after.entities))).toEqual(roles);
        for (const role of roles) {
          expect(own(after.entities, role)).toEqual([
            ...(own(before.entities, role) ?? []),
            ...(own(added.entities ?? {}, role) ?? []),
          ]);
        }
      }),
    );
  });

  test('merges fields and ids key by key, the later wins', () => {
    fc.assert(
      fc.property(bundle, delta, (before, added) => {
        const after = mergeDelta(before, added);

        for (const part of ['fields', 'ids'] as const) {
          const expected = new Map<string, unknown>([
            ...Object.entries(before[part]),
            ...Object.entries(added[part] ?? {}),
          ]);
          expect(new Map<string, unknown>(Object.entries(after[part]))).toEqual(expected);
        }
      }),
    );
  });

  test('does not merge into a field: an object replaces an object', () => {
    const before = { ...empty, fields: { ratings: { imdb: 8 } } };

    expect(mergeDelta(before, { fields: { ratings: { tmdb: 7 } } }).fields).toEqual({
      ratings: { tmdb: 7 },
    });
  });

  test('never changes what it is given', () => {
    fc.assert(
      fc.property(bundle, delta, (before, added) => {
        const copies = structuredClone([before, added]);

        mergeDelta(deepFreeze(before), deepFreeze(added));

        expect([before, added]).toEqual(copies);
      }),
    );
  });

  test('changes no prototype with any key, also for objects without a prototype', () => {
    const hostile = JSON.parse(
      '{"fields": {"__proto__": {"polluted": true}}, "entities": {"__proto__": [{"polluted": true}]}}',
    ) as BundleDelta;
    const bare: Bundle = { ...empty, entities: Object.create(null) as Bundle['entities'] };

    const after = mergeDelta(bare, hostile);

    expect('polluted' in {}).toBe(false);
    expect('polluted' in after.fields).toBe(false);
    expect(Object.getPrototypeOf(after.fields)).toBe(Object.prototype);
  });

  test('two deltas after one another are one delta with both', () => {
    fc.assert(
      fc.property(bundle, delta, (before, added) => {
        const { assets, ...rest } = added;
        const twice = mergeDelta(mergeDelta(before, assets ? { assets } : {}), rest);

        expect(twice).toEqual(mergeDelta(before, added));
      }),
    );
  });
});

describe('mergeScanDelta', () => {
  test('appends extensions and patterns', () => {
    const state: ScanPrepareInput & ScanPrepareDelta = { libraryType: 'movies', fsPlugin: 'local' };

    const after = mergeScanDelta(mergeScanDelta(state, { extensions: ['a'] }), {
      extensions: ['b'],
      patterns: ['*.c'],
    });

    expect(after).toEqual({ ...state, extensions: ['a', 'b'], patterns: ['*.c'] });
    expect(state).toEqual({ libraryType: 'movies', fsPlugin: 'local' });
  });
});

function own<T>(record: Readonly<Record<string, T>>, name: string): T | undefined {
  return Object.hasOwn(record, name) ? record[name] : undefined;
}

function deepFreeze<T>(value: T): T {
  if (typeof value === 'object' && value !== null) {
    Object.values(value).forEach(deepFreeze);
    Object.freeze(value);
  }
  return value;
}
