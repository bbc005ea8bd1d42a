import { describe, expect, onTestFinished, test } from 'vitest';
import type { JobRunResult, ReconcileInput } from '../../../../plugin-api/index.ts';
import { createFakeClock, type FakeClock } from '../../../../test/support/fake-clock.ts';
import { openTestLibrary, type TestLibrary } from '../../../../test/support/library/library.ts';
import { serverViewer } from '../../../people/viewer/index.ts';
import type { RootState } from './root-health.ts';

const root = 'file:///films';
const { signal } = new AbortController();

interface Setting {
  readonly library: TestLibrary;
  readonly libraryId: string;
  /** The state of the root; null = it cannot be listed. */
  readonly disk: { state: RootState | null; mounts: Record<string, RootState> };
  readonly clock: FakeClock;
  /** A whole scan that finds these names; gives the result of its job. */
  readonly scan: (names: readonly string[]) => Promise<Readonly<Record<string, unknown>>>;
  readonly titles: () => Promise<readonly string[]>;
  readonly problems: () => Promise<readonly string[]>;
}

async function open(): Promise<Setting> {
  const disk: Setting['disk'] = { state: { isEmpty: false, volume: 'a' }, mounts: {} };
  const clock = createFakeClock();
  const library = await openTestLibrary({
    scanner: { step: async (_job, walk) => (walk === null ? walking : { done: true, result: {} }) },
    now: clock.now,
    inspectRoot: async (uri) => {
      if (uri !== root) return disk.mounts[uri] ?? { isEmpty: true, volume: 'a' };
      if (disk.state) return { ...disk.state, mounts: Object.keys(disk.mounts) };
      throw new Error('The folder does not exist.');
    },
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
    disk,
    clock,
    scan: async (names) => {
      const job = { id: 'job', type: 'scan', libraryId, payload: {} } as never;
      const begun = await library.scans.step(job, null, signal);
      await library.reconcile(pageOf(libraryId, names));
      const checkpoint: unknown = begun.done ? null : JSON.parse(JSON.stringify(begun.checkpoint));
      const ended = await library.scans.step(job, checkpoint, signal);
      return ended.done ? (ended.result ?? {}) : {};
    },
    titles: async () =>
      (await library.items.list(serverViewer, {})).items.map(({ title }) => title),
    problems: async () =>
      (await library.libraries.get(libraryId, serverViewer)).problems.map(({ code }) => code),
  };
}

const walking: JobRunResult = { done: false, checkpoint: 'begun', progress: 0 };

const pageOf = (libraryId: string, names: readonly string[]): ReconcileInput => ({
  libraryId,
  root,
  after: null,
  through: null,
  files: names.map((name) => ({ uri: `${root}/${name}/${name}.mkv`, size: 1, modifiedAt: 1 })),
  unreadable: [],
});

describe('missing files', () => {
  test.each([
    ['empty', { isEmpty: true, volume: 'a' }],
    ['unreachable', null],
    ['other-volume', { isEmpty: false, volume: 'b' }],
  ] as const)(
    'are not gone when their root is %s, and the library says so',
    async (code, state) => {
      const { disk, scan, titles, problems } = await open();
      await scan(['A', 'B']);
      disk.state = state;

      const result = await scan([]);

      expect(await titles()).toEqual(['A', 'B']);
      expect(result).toMatchObject({
        gone: 0,
        problems: [{ uri: root, code }],
        problemCount: 1,
        failedRoots: [root],
      });
      expect(await problems()).toEqual([code]);
    },
  );

  test('are gone at the next scan that finds the root unchanged', async () => {
    const { disk, scan, titles, problems } = await open();
    await scan(['A', 'B']);
    disk.state = { isEmpty: true, volume: 'a' };
    await scan([]);
    disk.state = { isEmpty: false, volume: 'a' };

    const result = await scan(['B']);

    expect(result).toMatchObject({ gone: 1 });
    expect(await titles()).toEqual(['B']);
    expect(await problems()).toEqual([]);
  });

  test('are gone on another volume only once most files were found there', async () => {
    const { disk, scan, titles, problems } = await open();
    await scan(['A', 'B', 'C', 'D']);
    disk.state = { isEmpty: false, volume: 'b' };

    await scan(['B', 'C', 'D']);
    const first = [await titles(), await problems()];
    await scan(['B', 'C', 'D']);

    expect(first).toEqual([['A', 'B', 'C', 'D'], ['other-volume']]);
    expect(await titles()).toEqual(['B', 'C', 'D']);
    expect(await problems()).toEqual([]);
  });

  test('are gone when their root is taken out of the library, also if the root has a problem', async () => {
    const { library, libraryId, disk, scan, titles } = await open();
    await scan(['A']);
    disk.state = null;

    await library.libraries.update(libraryId, { roots: ['file:///other'] }, serverViewer);

    expect(await titles()).toEqual([]);
  });

  test('are found gone when a page that withheld them comes again', async () => {
    const { library, libraryId, disk } = await open();
    await library.reconcile(pageOf(libraryId, ['A', 'B']));
    disk.state = null;
    const page = { ...pageOf(libraryId, ['A']), digest: 'same' };

    await library.reconcile(page);
    disk.state = { isEmpty: false, volume: 'a' };

    await expect(library.reconcile({ ...page, files: [], isKnown: true })).rejects.toMatchObject({
      code: 'conflict',
    });
    expect(await library.reconcile(page)).toMatchObject({ gone: 1 });
  });
});

describe('files on a disk that is mounted below a root', () => {
  const full = { isEmpty: false, volume: 'b' };
  const mount = `${root}/B`;

  async function mounted(): Promise<Setting> {
    const setting = await open();
    setting.disk.mounts = { [mount]: full };
    await setting.scan(['A', 'B', 'C']);
    return setting;
  }

  test.each([
    ['unmounted', {}],
    ['empty', { [mount]: { isEmpty: true, volume: 'c' } }],
  ] as const)('are not gone when it is %s, and all else is', async (code, mounts) => {
    const { disk, scan, titles, problems } = await mounted();
    disk.mounts = mounts;

    const result = await scan(['A']);

    expect(await titles()).toEqual(['A', 'B']);
    expect(result).toMatchObject({ gone: 1, problems: [{ uri: mount, code }] });
    expect(await problems()).toEqual([code]);
  });

  test('are gone when the mount is present and they are not', async () => {
    const { scan, titles, problems } = await mounted();

    await scan(['A']);

    expect(await titles()).toEqual(['A']);
    expect(await problems()).toEqual([]);
  });

  test('are kept over many scans, and gone once the disk was away for thirty days', async () => {
    const { clock, disk, scan, titles } = await mounted();
    disk.mounts = {};
    await scan(['A', 'C']);
    await clock.advance(29 * 24 * 3_600_000);
    await scan(['A', 'C']);
    const before = await titles();

    await clock.advance(2 * 24 * 3_600_000);
    await scan(['A', 'C']);

    expect(before).toEqual(['A', 'B', 'C']);
    expect(await titles()).toEqual(['A', 'C']);
  });

  test('are gone when its root is taken out of the library', async () => {
    const { library, libraryId, disk, titles } = await mounted();
    disk.mounts = {};

    await library.libraries.update(libraryId, { roots: ['file:///other'] }, serverViewer);

    expect(await titles()).toEqual([]);
  });
});

describe('a library whose scan failed', () => {
  test('records why', async () => {
    const { library, libraryId, problems } = await open();

    await library.scans.ended?.({
      id: 'job',
      libraryId,
      status: 'failed',
      errorMessage: 'No root of the library could be read.',
    } as never);

    expect(await problems()).toEqual(['scan-failed']);
  });
});
