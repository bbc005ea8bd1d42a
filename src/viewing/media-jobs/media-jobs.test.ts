import { describe, expect, test } from 'vitest';
import { KernelError, type KernelErrorCode } from '../../../kernel/index.ts';
import type { JobRunResult } from '../../../plugin-api/index.ts';
import type { StudiedFile, StudiedFiles } from '../../library/catalogue/studies/index.ts';
import { AppError } from '../../platform/errors.ts';
import type { PlayedFile } from '../transcoding/index.ts';
import { createMediaJobs, type MediaJobs } from './media-jobs.ts';

const file = (no: number, kind: 'video' | 'audio' = 'video'): StudiedFile => ({
  ...{ no, id: `f${no}`, itemId: `i${no}`, uri: `file:///${no}`, size: 1, modifiedAt: 1, kind },
  ...{ isPrimary: true, loudness: null, hasPicture: false },
});
const libraries: Readonly<Record<string, readonly StudiedFile[]>> = {
  films: [file(1), file(2), file(3, 'audio')],
  shows: [file(4), file(5)],
};

interface Scene {
  readonly jobs: MediaJobs;
  readonly looked: string[];
  readonly enqueued: object[];
}

interface SceneParts {
  readonly missing?: string;
  readonly active?: string;
  /** A file that cannot be opened. */
  readonly refused?: { readonly id: string; readonly code: KernelErrorCode };
}

function scene(parts: SceneParts = {}): Scene {
  const looked: string[] = [];
  const enqueued: object[] = [];
  const never = () => Promise.reject(new Error('It is not asked for.'));
  const studied: StudiedFiles = {
    librariesWith: async (type) => (type === 'stills' ? ['shows'] : Object.keys(libraries)),
    page: async (id, { after }) => (libraries[id] ?? []).filter(({ no }) => no > after).slice(0, 2),
    last: async (id) => libraries[id]?.at(-1)?.no ?? 0,
    ...{ setLoudness: never, setAlbumGains: never, setStill: async () => undefined },
  };
  const jobs = createMediaJobs({
    studied,
    findPlayed: async (id) => {
      if (id === parts.refused?.id) throw new KernelError(parts.refused.code, 'The file');
      return { id, contentKey: id, duration: 100, streams: [] } as unknown as PlayedFile;
    },
    studies: {
      missing: async () => parts.missing ?? null,
      sheets: async ({ file: { id } }) => {
        looked.push(id);
        if (id === 'f2') throw new AppError('transcode_failed', { why: '' });
        if (id === 'f4') throw new AppError('file_changed', {});
        return [];
      },
      ...{ still: never, loudness: never },
    },
    still: async ({ id }) => {
      looked.push(id);
      return { mimeType: 'image/jpeg', bytes: new Uint8Array() };
    },
    trickplay: {
      ...{ find: async () => null, sheet: async () => null, hasRoom: async () => true },
      ...{ keep: async () => undefined, fail: async () => undefined },
    },
    jobs: {
      enqueue: async (job) => enqueued.push(job),
      list: async () => ({ jobs: [{ type: parts.active ?? 'scan' }] }),
    },
    people: { isFree: () => true, wait: async () => undefined },
  });
  return { jobs, looked, enqueued };
}

/** Runs a job to its end, each step with the checkpoint of the one before as it is stored. */
async function run({ jobs }: Scene, type: 'stills' | 'trickplay', libraryId: string | null) {
  const { signal } = new AbortController();
  for (let checkpoint: unknown = null; ;) {
    const result: JobRunResult = await jobs.runners[type].step({ libraryId }, checkpoint, signal);
    if (result.done) return result.result;
    checkpoint = JSON.parse(JSON.stringify(result.checkpoint));
  }
}

describe('a job that looks at media', () => {
  test('goes through the files of its kind, library by library, past those that fail or are gone', async () => {
    const all = scene();

    expect(await run(all, 'trickplay', null)).toEqual({ made: 2, failed: 1 });
    expect(all.looked).toEqual(['f1', 'f2', 'f4', 'f5']);
  });

  test.each(['unreadable', 'permission_denied', 'outside_root', 'symlink_loop'] as const)(
    'goes past a file that the disk does not give (%s), and not past a full one',
    async (code) => {
      const refusing = scene({ refused: { id: 'f1', code } });
      const full = scene({ refused: { id: 'f1', code: 'storage_full' } });

      expect(await run(refusing, 'trickplay', null)).toEqual({ made: 1, failed: 2 });
      await expect(run(full, 'trickplay', null)).rejects.toMatchObject({ code: 'storage_full' });
    },
  );

  test('leaves out libraries that do without it, unless it is asked for them', async () => {
    const [night, asked] = [scene(), scene()];

    await run(night, 'stills', null);
    await run(asked, 'stills', 'films');

    expect([night.looked, asked.looked]).toEqual([
      ['f4', 'f5'],
      ['f1', 'f2'],
    ]);
  });

  test('starts at night after the one before, and never twice or without a transcoder', async () => {
    const [night, busy, without] = [
      scene(),
      scene({ active: 'trickplay' }),
      scene({ missing: 'No.' }),
    ];
    for (const { jobs } of [night, busy, without]) await jobs.startAll();
    const [first] = night.enqueued as { payload: Record<string, unknown> }[];

    await night.jobs.runners.stills.ended({ payload: first?.payload ?? {} });

    expect(night.enqueued).toEqual([
      { type: 'stills', priority: 10, payload: { then: ['loudness', 'trickplay'] } },
      { type: 'loudness', priority: 10, payload: { then: ['trickplay'] } },
    ]);
    expect([busy.enqueued, without.enqueued]).toEqual([[], []]);
  });
});
