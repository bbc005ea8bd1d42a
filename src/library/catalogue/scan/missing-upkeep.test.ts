import { describe, expect, onTestFinished, test } from 'vitest';
import type { JobRunResult, ReconcileInput } from '../../../../plugin-api/index.ts';
import { eventually } from '../../../../test/support/eventually.ts';
import { createFakeClock } from '../../../../test/support/fake-clock.ts';
import { openTestLibrary, type TestLibrary } from '../../../../test/support/library/library.ts';
import { serverViewer } from '../../../people/viewer/index.ts';

const root = 'file:///films';
const dayMs = 86_400_000;
const { signal } = new AbortController();

interface Setting {
  readonly library: TestLibrary;
  readonly libraryId: string;
  readonly pass: (days: number) => Promise<void>;
  /** Sets the clock, without any time passing. */
  readonly set: (days: number) => void;
  /** A scan that finds these names; optionally interrupted. */
  readonly scan: (names: readonly string[], how?: 'whole' | 'cut off') => Promise<void>;
  readonly ids: () => Promise<Readonly<Record<string, string>>>;
  readonly count: (table: string) => Promise<number>;
}

async function open(missingDays = 30): Promise<Setting> {
  const fake = createFakeClock();
  // Monotonic time has fractions, which PostgreSQL refuses in a column of whole numbers.
  const clock = { ...fake, steady: { now: () => (fake.steady?.now() ?? 0) + 0.25 } };
  const library = await openTestLibrary({
    missingDays,
    clock,
    now: clock.now,
    scanner: { step: async (_job, walk) => (walk === null ? walking : { done: true }) },
  });
  onTestFinished(library.close);
  const { id: libraryId } = await library.libraries.create({
    name: 'Films',
    type: 'movies',
    roots: [root],
  });
  return {
    library,
    libraryId,
    pass: (days) => clock.advance(days * dayMs),
    set: (days) => clock.set(days * dayMs),
    scan: async (names, how = 'whole') => {
      const job = { id: 'job', type: 'scan', libraryId, payload: {} } as never;
      const begun = await library.scans.step(job, null, signal);
      await clock.advance(1);
      await library.reconcile(pageOf(libraryId, names));
      await clock.advance(1);
      if (how === 'whole' && !begun.done)
        await library.scans.step(job, JSON.parse(JSON.stringify(begun.checkpoint)), signal);
    },
    ids: async () => {
      const { items } = await library.items.list(serverViewer, {});
      return Object.fromEntries(items.map(({ title, id }) => [title, id]));
    },
    count: async (table) => (await library.storage.database.read(table).select('*')).length,
  };
}

const walking: JobRunResult = { done: false, checkpoint: 'begun', progress: 0 };

const pageOf = (libraryId: string, names: readonly string[]): ReconcileInput => ({
  libraryId,
  root,
  after: null,
  through: null,
  files: names.map((name, index) => ({
    uri: `${root}/${name}`,
    size: name.charCodeAt(0) * 100 + index,
    modifiedAt: 1,
    ...(name.endsWith('.srt') && { type: 'auxiliary' as const }),
  })),
  unreadable: [],
});

describe('a file that is missing', () => {
  test('finds its item again, with a person’s edits, while it is kept', async () => {
    const { library, pass, scan, ids } = await open();
    await scan(['A/a.mkv', 'B/b.mkv']);
    const before = await ids();
    await library.items.update(before['A'] ?? '', { title: 'Mine' }, serverViewer);
    await scan(['B/b.mkv']);
    await pass(29);
    await library.missingUpkeep.sweep();

    await scan(['A/a.mkv', 'B/b.mkv']);

    expect(await ids()).toEqual({ Mine: before['A'], B: before['B'] });
  });

  test('is deleted with its item when it was missing for too long, without a second event', async () => {
    const { library, pass, scan, ids, count } = await open();
    await scan(['A/a.mkv', 'A/a.srt', 'B/b.mkv']);
    const before = await ids();
    await scan(['A/a.srt', 'B/b.mkv']);
    library.events.length = 0;
    await pass(31);

    const swept = await library.missingUpkeep.sweep();

    expect(swept).toMatchObject({ files: 1, items: 1 });
    expect(library.events).toEqual([]);
    await expect(library.items.get(before['A'] ?? '', serverViewer)).rejects.toMatchObject({
      code: 'not_found',
    });
    expect([await count('items'), await count('files')]).toEqual([1, 2]);
    await scan(['A/a.mkv', 'B/b.mkv']);
    expect((await ids())['A']).not.toBe(before['A']);
  });

  test('is deleted alone when its item has others', async () => {
    const { library, pass, scan, ids, count } = await open();
    await scan(['A/a.mkv', 'A/b.mkv']);
    const before = await ids();
    await scan(['A/b.mkv']);
    await pass(31);

    await library.missingUpkeep.sweep();

    expect(await ids()).toEqual(before);
    expect(await count('files')).toBe(1);
  });

  test('is deleted at the end of a whole scan when nothing is kept', async () => {
    const { library, scan, count } = await open(0);
    await scan(['A/a.mkv', 'B/b.mkv']);

    await scan(['B/b.mkv'], 'cut off');
    await library.missingUpkeep.sweep();
    const during = await count('files');
    await scan(['B/b.mkv']);
    await library.missingUpkeep.sweep();

    expect(during).toBe(2);
    expect([await count('files'), await count('items')]).toEqual([1, 1]);
  });

  test('is kept while the clock is a year ahead for less than a day', async () => {
    const { library, pass, set, scan, count } = await open();
    await scan(['A/a.mkv', 'B/b.mkv']);
    await scan(['B/b.mkv']);

    set(365);
    await scan(['B/b.mkv']);
    await library.missingUpkeep.sweep();
    const whileAhead = await count('files');
    await pass(0.5);
    set(-365);
    await library.missingUpkeep.sweep();

    expect([whileAhead, await count('files')]).toEqual([2, 2]);
  });

  test.each([
    ['in the past', -400],
    ['in the future', 400],
  ])('while the clock was %s is kept for the whole time', async (_title, days) => {
    const { library, pass, set, scan, count } = await open();
    await scan(['A/a.mkv', 'B/b.mkv']);
    set(days);
    await scan(['B/b.mkv']);
    set(-days);
    await scan(['B/b.mkv']);
    await library.missingUpkeep.sweep();
    await pass(29);
    await scan(['B/b.mkv']);
    await library.missingUpkeep.sweep();
    const during = await count('files');
    await pass(2);
    await scan(['B/b.mkv']);
    await library.missingUpkeep.sweep();

    expect([during, await count('files')]).toEqual([2, 1]);
  });

  test('is kept as long as a root of its library has a problem', async () => {
    const { library, libraryId, pass, scan, count } = await open();
    await scan(['A/a.mkv']);
    await scan([]);
    await pass(31);
    const failed = { id: 'job', libraryId, status: 'failed', errorMessage: 'No disk.' };
    await library.scans.ended?.(failed as never);

    await library.missingUpkeep.sweep();

    expect(await count('files')).toBe(1);
  });

  test('of a deleted item is deleted too', async () => {
    const { library, pass, scan, ids, count } = await open();
    await scan(['A/a.mkv']);
    await library.items.remove((await ids())['A'] ?? '', serverViewer);
    await scan([]);
    await pass(31);

    await library.missingUpkeep.sweep();

    expect(await count('files')).toBe(0);
  });
});

describe('tombstones', () => {
  test('are kept for 90 days, for indexes that were away', async () => {
    const { library, pass, scan, count } = await open();
    await scan(['A/a.mkv']);
    await scan([]);
    await library.missingUpkeep.sweep();
    await pass(89);
    await library.missingUpkeep.sweep();
    const late = await count('removed_items');
    await pass(1);

    const { tombstones } = await library.missingUpkeep.sweep();

    expect([late, tombstones, await count('removed_items')]).toEqual([1, 1, 0]);
  });
});

describe('the upkeep', () => {
  test('sweeps each day, and not after it has stopped', async () => {
    const { library, pass, scan, count } = await open();
    await scan(['A/a.mkv', 'B/b.mkv']);
    await scan(['B/b.mkv']);
    library.missingUpkeep.start();

    await pass(31);
    await eventually('the file is forgotten', async () => (await count('files')) === 1);
    await library.missingUpkeep.stop();
    await scan([]);
    await pass(31);

    expect(await count('files')).toBe(1);
  });
});
