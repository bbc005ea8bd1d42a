import { describe, expect, onTestFinished, test } from 'vitest';
import type { JobRunResult } from '../../../../plugin-api/index.ts';
import {
  answerByFolder,
  openTestLibrary,
  type TestLibrary,
} from '../../../../test/support/library/library.ts';
import { serverViewer } from '../../../people/viewer/index.ts';
import type { Job } from '../../../contract/resources/library/catalogue.ts';

const root = 'file:///films';
const { signal } = new AbortController();

interface Setting {
  readonly library: TestLibrary;
  readonly libraryId: string;
  readonly job: Job;
  /** The calls of the scanner, and its next answer. */
  readonly asked: { readonly payload: Job['payload']; readonly checkpoint: unknown }[];
  readonly answers: JobRunResult[];
  readonly clock: { ms: number };
}

async function open(parts: Parameters<typeof openTestLibrary>[0] = {}): Promise<Setting> {
  const asked: Setting['asked'] = [];
  const answers: JobRunResult[] = [];
  const clock = { ms: 1_000_000 };
  const library = await openTestLibrary({
    now: () => clock.ms,
    scanner: {
      pluginFor: () => 'scanner',
      step: async ({ payload }, checkpoint) => {
        asked.push({ payload, checkpoint });
        return answers.shift() ?? { done: true };
      },
    },
    ...parts,
  });
  onTestFinished(library.close);
  const { id } = await library.libraries.create({ name: 'Films', type: 'movies', roots: [root] });
  library.events.length = 0;
  const job = { id: 'job-1', type: 'scan', libraryId: id, payload: {} } as unknown as Job;
  return { library, libraryId: id, job, asked, answers, clock };
}

const page = (libraryId: string, names: readonly string[]) => ({
  libraryId,
  root,
  after: null,
  through: null,
  files: names.map((name, index) => ({ uri: `${root}/${name}`, size: index, modifiedAt: 1 })),
  unreadable: [],
});

describe('a scan', () => {
  test('of a type that no plugin finds files for says so, and which types there are', async () => {
    const { library, libraryId, job, answers } = await open({
      providers: () => [],
      libraryTypes: () => ['music', 'tv'],
    });
    answers.push({ done: true });

    const first = await library.scans.step(job, null, signal);
    const problem = {
      uri: root,
      code: 'scan-failed',
      message:
        'No plugin finds files for a library of the type movies; the types that work here are music, tv.',
    };
    expect(first).toMatchObject({ done: true, result: { problems: [problem], problemCount: 1 } });
    const { problems } = await library.libraries.get(libraryId, serverViewer);
    expect(problems).toEqual([problem]);
  });

  test('collects once what to look for, and passes it to the scanner with every step', async () => {
    const setting = await open({
      call: async (id, method, input, options) =>
        method === 'library.describe'
          ? { extensions: ['MKV', '.mp4', '', 7, '../x'], auxiliary: ['.NFO', 'iso', 'nfo', 8] }
          : answerByFolder(id, method, input, options),
      hooks: {
        run: async () => ({
          answers: [
            { pluginId: 'discs', delta: { extensions: ['iso', 'mkv'], patterns: ['*.strm'] } },
          ],
          skipped: [],
        }),
      },
    });
    const { library, job, asked, answers } = setting;
    answers.push({ done: false, checkpoint: { at: 5 }, progress: 0.5 });

    const first = await library.scans.step(job, null, signal);
    if (first.done) throw new Error('It is not over.');
    const stored: unknown = JSON.parse(JSON.stringify(first.checkpoint));
    const second = await library.scans.step(job, stored, signal);

    const payload = {
      roots: [root],
      extensions: ['mkv', 'mp4', 'iso'],
      auxiliary: ['nfo'],
      patterns: ['*.strm'],
    };
    expect(asked).toEqual([
      { payload, checkpoint: null },
      { payload, checkpoint: { at: 5 } },
    ]);
    expect(first.progress).toBe(0.5);
    expect(second.done).toBe(true);
  });

  test('emits its start, its progress at most 4 times a second, and its result', async () => {
    const { library, libraryId, job, answers, clock } = await open();
    let checkpoint: unknown = null;
    const step = async (answer: JobRunResult): Promise<void> => {
      answers.push(answer);
      const result = await library.scans.step(job, checkpoint, signal);
      checkpoint = result.done ? null : result.checkpoint;
    };
    const going = { done: false, checkpoint: 1, progress: 0.5 } as const;

    await step(going);
    await library.reconcile(page(libraryId, ['A/a.mkv', 'B/b.mkv']));
    library.events.length =
      1 + library.events.findIndex(({ type }) => type === 'library.scan.progress');
    for (let ms = 0; ms < 1000; ms += 50) {
      clock.ms += 50;
      await step(going);
    }
    await library.reconcile(page(libraryId, ['A/a.mkv']));
    await step({ done: true, result: { problems: 3 } });

    const told = library.events.filter(({ type }) => type.startsWith('library.scan.'));
    const progress = told.filter(({ type }) => type === 'library.scan.progress');
    expect(told[0]).toMatchObject({
      type: 'library.scan.started',
      data: { libraryId, jobId: 'job-1', found: 0 },
    });
    expect(progress.length).toBeGreaterThanOrEqual(4);
    expect(progress.length).toBeLessThanOrEqual(5);
    expect(progress.at(-1)?.data).toMatchObject({ found: 2, added: 2 });
    expect(told.at(-1)).toEqual({
      type: 'library.scan.completed',
      data: { libraryId, jobId: 'job-1', found: 3, added: 2, changed: 0, moved: 0, gone: 1 },
    });
    const { lastScanAt } = await library.libraries.get(libraryId, serverViewer);
    expect(lastScanAt).toBe(new Date(clock.ms).toISOString());
  });

  test('continues its counts from the checkpoint when it resumes in another process', async () => {
    const { library, libraryId, job, answers } = await open();
    answers.push({ done: false, checkpoint: 1, progress: 0.1 });
    const first = await library.scans.step(job, null, signal);
    await library.reconcile(page(libraryId, ['A/a.mkv']));
    answers.push({ done: false, checkpoint: 2, progress: 0.2 });
    const second = await library.scans.step(job, first.done ? null : first.checkpoint, signal);

    const last = await library.scans.step(job, second.done ? null : second.checkpoint, signal);

    expect(last).toEqual({
      done: true,
      result: { found: 1, added: 1, changed: 0, moved: 0, gone: 0 },
    });
    expect(library.events.filter(({ type }) => type === 'library.scan.started')).toHaveLength(1);
  });

  test('of some folders passes them to the scanner, and does not count as a scan of the library', async () => {
    const { library, libraryId, job, asked } = await open();
    const folders = [`${root}/b/c`, `${root}/b`, `${root}/b%20x`, `${root}/b`];
    const shallow = [root, `${root}/b/d`];

    await library.scans.step({ ...job, payload: { folders, shallow } }, null, signal);

    expect(asked[0]?.payload).toMatchObject({
      roots: [root],
      folders: [`${root}/b`, `${root}/b%20x`],
      shallow: [root],
    });
    const { lastScanAt } = await library.libraries.get(libraryId, serverViewer);
    expect(lastScanAt).toBeNull();
  });

  test('keeps its position when it is interrupted, also when some folders are scanned meanwhile', async () => {
    const { library, libraryId, job, answers } = await open();
    answers.push({ done: false, checkpoint: 1, progress: 0.1 });
    await library.reconcile(page(libraryId, ['Z/z.mkv']));
    await library.scans.step(job, null, signal);
    await library.reconcile({ ...page(libraryId, ['A/z.mkv']), through: `${root}/B` });

    await library.scans.step({ ...job, payload: { folders: [`${root}/C`] } }, null, signal);
    const rest = await library.reconcile({ ...page(libraryId, []), after: `${root}/B` });

    expect(rest).toMatchObject({ moved: 1, gone: 0 });
  });

  test.each([
    [{ folders: 'file:///films/a' }],
    [{ folders: [] }],
    [{ folders: ['file:///other/a'] }],
    [{ folders: ['file:///films2'] }],
    [{ folders: ['file:///films/a/'] }],
    [{ folders: ['file:///films/a/../b'] }],
    [{ folders: ['file:///films/./b'] }],
    [{ folders: ['file:///films//b'] }],
    [{ folders: ['file:///films/a b'] }],
    [{ shallow: [7] }],
    [{ folders: Array.from({ length: 1001 }, (_, n) => `${root}/${n}`) }],
  ])('of places that are none is refused, and says which: %j', async (payload) => {
    const { library, libraryId, job } = await open();
    const refusal = {
      code: 'invalid_request',
      message: expect.stringMatching(/payload\.(folders|shallow)/),
    };

    await expect(library.scans.step({ ...job, payload }, null, signal)).rejects.toMatchObject(
      refusal,
    );
    await expect(library.scans.checkPayload?.(payload, libraryId)).rejects.toMatchObject(refusal);
  });

  test('of places is refused for all libraries, since they lie in one', async () => {
    const { library, libraryId } = await open();
    const payload = { folders: [`${root}/a`] };

    await expect(library.scans.checkPayload?.(payload, null)).rejects.toMatchObject({
      fields: { what: 'libraryId must be the library of the folders in the payload.' },
    });
    await library.scans.checkPayload?.(payload, libraryId);
    await library.scans.checkPayload?.({ deep: true }, null);
  });

  test('without a library, or of an unknown one, fails finally', async () => {
    const { library, job } = await open();

    await expect(
      library.scans.step({ ...job, libraryId: null }, null, signal),
    ).rejects.toMatchObject({ code: 'invalid_request' });
    await expect(
      library.scans.step({ ...job, libraryId: 'x' }, null, signal),
    ).rejects.toMatchObject({ code: 'not_found' });
  });
});
