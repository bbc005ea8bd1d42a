import { describe, expect, onTestFinished, test } from 'vitest';
import { KernelError } from '../../../../kernel/index.ts';
import type { ExpectedPlugin } from '../../../../kernel/run/index.ts';
import type { JobRunResult } from '../../../../plugin-api/index.ts';
import { createFakeClock } from '../../../../test/support/fake-clock.ts';
import { openTestLibrary, type TestLibrary } from '../../../../test/support/library/library.ts';
import type { ScanHookChain } from './scan-preparation.ts';
import type { Job } from '../../../contract/resources/library/catalogue.ts';

const root = 'file:///films';
const adder = (presence: ExpectedPlugin['presence'], reason = ''): ExpectedPlugin => ({
  pluginId: 'adder',
  presence,
  reason,
});
const adds = (extensions: readonly string[]) => ({
  answers: [{ pluginId: 'adder', delta: { extensions } }],
  skipped: [],
});
const silence = { answers: [], skipped: [] };
const away = adder('away', 'It failed: no luck.');

/** A library of films whose hook is answered by the plugin `adder`, as the test says. */
async function open(plugin: ExpectedPlugin, answer: () => ReturnType<ScanHookChain['run']>) {
  const clock = createFakeClock();
  const now = { plugin, answer };
  const asked: Job['payload'][] = [];
  const pages: (() => Promise<unknown>)[] = [];
  const library: TestLibrary = await openTestLibrary({
    clock,
    expected: (role) => ('hook' in role ? [now.plugin] : []),
    hooks: { run: () => now.answer() },
    scanner: {
      step: async ({ payload }): Promise<JobRunResult> => {
        asked.push(payload);
        await pages.shift()?.();
        return { done: true };
      },
    },
  });
  onTestFinished(library.close);
  const { id } = await library.libraries.create({ name: 'Films', type: 'movies', roots: [root] });
  const job = { id: 'job-1', type: 'scan', libraryId: id, payload: {} } as unknown as Job;
  const page = (names: readonly string[]) => async () =>
    library.reconcile({
      libraryId: id,
      root,
      after: null,
      through: null,
      files: names.map((name) => ({ uri: `${root}/${name}`, size: 1, modifiedAt: 1 })),
      unreadable: [],
    });
  const scan = (names: readonly string[], { signal } = new AbortController()) => {
    pages.push(page(names));
    return library.scans.step(job, null, signal);
  };
  /** Resolves when the scan waits; the database takes a moment before. */
  const isWaiting = async (): Promise<void> => {
    while (clock.timers() === 0) await new Promise((resolve) => setImmediate(resolve));
  };
  return { library, clock, now, asked, scan, isWaiting };
}

const answersWith = (extensions: readonly string[]) => async () => adds(extensions);

describe('a scan without one of the plugins that say what to look for', () => {
  test('waits for a plugin that is about to restart, and asks it', async () => {
    const { clock, now, asked, scan, isWaiting } = await open(
      adder('coming'),
      answersWith(['xyz']),
    );
    const scanned = scan(['A.mkv']);
    await isWaiting();
    await clock.advance(30_000);
    expect(asked).toEqual([]);
    now.plugin = adder('here');
    await clock.advance(1000);

    expect(await scanned).toMatchObject({ done: true });
    expect(asked[0]).toMatchObject({ extensions: ['mkv', 'xyz'] });
  });

  test('waits for 60 s at most, and marks nothing as gone that the plugin added', async () => {
    const { clock, now, scan, isWaiting } = await open(adder('here'), answersWith(['xyz']));
    await scan(['A.mkv', 'B.mkv', 'C.xyz']);
    now.plugin = adder('coming', 'It is being started.');
    now.answer = async () => silence;
    let result: JobRunResult | undefined;
    const scanned = scan(['A.mkv']).then((ended) => {
      result = ended;
    });
    await isWaiting();
    await clock.advance(59_000);
    expect(result).toBeUndefined();
    await clock.advance(2000);
    await scanned;

    expect(result).toMatchObject({
      done: true,
      result: {
        gone: 1,
        absentPlugins: [
          {
            pluginId: 'adder',
            code: 'not_running',
            reason: 'It is being started.',
            keptFiles: 1,
          },
        ],
      },
    });
  });

  test('does not wait for one that stays stopped, and reports it at the beginning and the end', async () => {
    const { library, now, scan } = await open(adder('here'), answersWith(['xyz']));
    await scan(['A.mkv', 'C.xyz']);
    now.plugin = away;
    now.answer = async () => silence;

    await scan(['A.mkv']);

    expect(library.events.at(-1)).toMatchObject({
      type: 'library.scan.completed',
      data: { gone: 0, absentPlugins: [{ pluginId: 'adder', code: 'failed' }] },
    });
    expect(library.events.findLast(({ type }) => type === 'library.scan.started')).toMatchObject({
      data: { absentPlugins: [{ pluginId: 'adder', code: 'failed' }] },
    });
  });

  test('keeps everything that the others do not look for, when the plugin never answered before', async () => {
    const { now, scan } = await open(adder('here'), async () => ({
      answers: [{ pluginId: 'gone', delta: { extensions: ['qqq'] } }],
      skipped: [],
    }));
    await scan(['A.mkv', 'B.mkv', 'C.qqq']);
    now.plugin = away;
    now.answer = async () => silence;

    expect(await scan(['A.mkv'])).toMatchObject({ result: { gone: 1 } });
  });

  test('asks once more when the plugin stopped during the call', async () => {
    const { clock, now, asked, scan, isWaiting } = await open(adder('here'), async () => {
      now.plugin = adder('coming');
      now.answer = answersWith(['xyz']);
      const reason = 'The plugin ended before it answered.';
      return { answers: [], skipped: [{ pluginId: 'adder', code: 'plugin_crashed', reason }] };
    });
    const scanned = scan([]);
    await isWaiting();
    now.plugin = adder('here');
    await clock.advance(1000);
    await scanned;

    expect(asked[0]).toMatchObject({ extensions: ['mkv', 'xyz'] });
  });

  test('drops the stored answer of a plugin that is no longer expected to answer', async () => {
    const { library, now, scan } = await open(adder('here'), answersWith(['xyz']));
    await scan(['C.xyz']);
    now.answer = async () => silence;
    now.plugin = { ...adder('here'), pluginId: 'by-folder' };

    const result = await scan([]);

    expect(result).toMatchObject({ result: { gone: 1 } });
    const row = await library.storage.database.read('libraries').first('sought');
    expect(row?.sought).not.toContain('adder');
  });

  test('that is interrupted while it waits begins again', async () => {
    const { clock, asked, scan, isWaiting } = await open(adder('coming'), answersWith([]));
    const controller = new AbortController();
    const scanned = scan([], controller);
    await isWaiting();
    controller.abort();
    await clock.advance(1000);

    expect(await scanned).toEqual({ done: false, progress: 0, checkpoint: null });
    expect(asked).toEqual([]);
    expect(clock.timers()).toBe(0);
  });
});

describe('a library plugin', () => {
  const openDescribing = async (error: Error) => {
    let isWell = true;
    const library = await openTestLibrary({
      clock: createFakeClock(),
      call: async (_, method, input) => {
        if (method === 'library.describe') {
          if (!isWell) throw error;
          return { extensions: ['mkv'], auxiliary: ['nfo'] };
        }
        if (method === 'indexer.supports') return true;
        const { files = [] } = input as { files?: readonly { path: string }[] };
        if (method === 'library.group') return { keys: files.map(({ path }) => path) };
        return { results: files.map(({ path }) => ({ title: path, metadata: {} })) };
      },
      scanner: {
        step: async () => {
          await bringIn(isWell ? ['A.mkv', 'A.nfo'] : []);
          return { done: true };
        },
      },
    });
    onTestFinished(library.close);
    const { id } = await library.libraries.create({ name: 'F', type: 'movies', roots: [root] });
    const bringIn = (names: readonly string[]) =>
      library.reconcile({
        libraryId: id,
        root,
        after: null,
        through: null,
        files: names.map((name) => ({
          uri: `${root}/${name}`,
          size: 1,
          modifiedAt: 1,
          ...(name.endsWith('nfo') && { type: 'auxiliary' as const }),
        })),
        unreadable: [],
      });
    const job = { id: 'job-1', type: 'scan', libraryId: id, payload: {} } as unknown as Job;
    const scan = () => library.scans.step(job, null, new AbortController().signal);
    await scan();
    isWell = false;
    return scan();
  };

  test('that fails to describe its libraries removes nothing from them', async () => {
    const cause = { code: 'plugin_error', message: 'no' };
    const failure = new KernelError('plugin_failed', 'by-folder library.describe: no', { cause });

    expect(await openDescribing(failure)).toMatchObject({
      result: { gone: 0, absentPlugins: [{ pluginId: 'by-folder', code: 'plugin_error' }] },
    });
  });

  test('that describes nothing, as it has no handler, has answered', async () => {
    const cause = { code: 'unknown_handler', message: 'no' };
    const failure = new KernelError('plugin_failed', 'by-folder has no handler', { cause });

    expect(await openDescribing(failure)).toMatchObject({ result: { gone: 1 } });
  });

  test('without a handler contributes what its manifest says of the type', async () => {
    const asked: Job['payload'][] = [];
    const cause = { code: 'unknown_handler', message: 'no' };
    const library = await openTestLibrary({
      call: () => Promise.reject(new KernelError('plugin_failed', 'no handler', { cause })),
      capabilityConfigOf: () => ({
        library: {
          paths: [
            { type: 'movies', rules: ['**/*.qqq', '/Discs/**/*.bin'], extensions: ['ZZZ'] },
            { type: 'music', rules: ['**/*.mp9'], extensions: ['mp9'] },
          ],
        },
      }),
      scanner: {
        step: async ({ payload }) => {
          asked.push(payload);
          return { done: true };
        },
      },
    });
    onTestFinished(library.close);
    const { id } = await library.libraries.create({ name: 'F', type: 'movies', roots: [root] });
    const job = { id: 'job-1', type: 'scan', libraryId: id, payload: {} } as unknown as Job;

    await library.scans.step(job, null, new AbortController().signal);

    expect(asked).toMatchObject([{ extensions: ['zzz', 'qqq'], patterns: ['Discs/**/*.bin'] }]);
  });
});
