import { describe, expect, test } from 'vitest';
import { compatibilityChanges, type CompatibilityChange } from './compatibility-changes.ts';
import { firstCompatibilityDate, isChangedFor, isDay, moveCompatibility } from './compatibility.ts';

const about = { summary: 'A test changes something.', advice: 'Nothing.' };
const changes: readonly CompatibilityChange[] = [
  { name: 'first', date: '2026-11-21', ...about },
  {
    name: 'renamed',
    date: '2027-02-01',
    ...about,
    migrate: ({ old, ...rest }) => ({ ...rest, new: old }),
  },
  { name: 'doubled', date: '2027-05-01', ...about, migrate: (one) => ({ ...one, twice: true }) },
];

describe('a change', () => {
  test('applies to plugins of its date and later, and to none before', () => {
    const has = (compatibilityDate: string) =>
      isChangedFor({ compatibilityDate }, 'renamed', changes);

    expect([has('2027-01-31'), has('2027-02-01'), has('2028-01-01')]).toEqual([false, true, true]);
  });

  test('applies to a plugin without a date only if it is of the first day', () => {
    expect(isChangedFor({}, 'first', changes)).toBe(true);
    expect(isChangedFor({}, 'renamed', changes)).toBe(false);
  });

  test('with an unknown name throws', () => {
    expect(() => isChangedFor({}, 'never', changes)).toThrow(/no compatibility change never/);
  });
});

describe('moving a manifest to a date', () => {
  test('does what each change between the two dates does, in their order', () => {
    const before = { id: 'a', old: 1, compatibilityDate: '2026-12-01' };

    const { manifest, changes: between } = moveCompatibility(before, '2027-06-01', changes);

    expect(between.map(({ name }) => name)).toEqual(['renamed', 'doubled']);
    expect(manifest).toEqual({ id: 'a', new: 1, twice: true, compatibilityDate: '2027-06-01' });
    expect(before).toHaveProperty('old');
  });

  test('names all of them for one without a date', () => {
    const { changes: between } = moveCompatibility({}, '2027-02-01', changes);

    expect(between.map(({ name }) => name)).toEqual(['first', 'renamed']);
  });

  test('leaves a manifest at that date or later unchanged', () => {
    for (const compatibilityDate of ['2027-02-01', '2030-01-01']) {
      const manifest = { compatibilityDate, old: 1 };
      expect(moveCompatibility(manifest, '2027-02-01', changes)).toEqual({ changes: [], manifest });
    }
  });
});

describe('the table of changes', () => {
  test('is sorted by date, and each entry has a name, a summary and an advice', () => {
    const dates = compatibilityChanges.map(({ date }) => date);
    const names = new Set(compatibilityChanges.map(({ name }) => name));

    expect(dates).toEqual(dates.toSorted());
    expect(names.size).toBe(compatibilityChanges.length);
    for (const { name, date, summary, advice } of compatibilityChanges) {
      expect(isDay(date) && date >= firstCompatibilityDate).toBe(true);
      expect(name).toMatch(/^[a-z]+(-[a-z]+)*$/);
      expect([summary, advice].every((text) => text.endsWith('.'))).toBe(true);
    }
  });
});
