/**
 * Jobs that look at media in the cage: `trickplay`, `stills` and `loudness`. Each step looks at one
 * file of a library, in the order of their numbers, and gives way to people.
 */
import { serverViewer, type Viewer } from '../../people/viewer/index.ts';
import type { MediaJobType, StudiedFile, StudiedFiles } from '../../library/catalogue/index.ts';
import { JobWaits, type Job, type JobRunner, type Jobs } from '../../work/jobs/index.ts';
import type { Studies } from '../conversion/index.ts';
import type { PlayedFile } from '../transcoding/index.ts';
import { sheetWorkOf, type TrickplayStore } from '../trickplay/index.ts';
import type { PeopleFirst } from './people-first.ts';
import { isUnreadable, type OpenStill } from './stills.ts';

/** The jobs. */
export interface MediaJobs {
  readonly runners: Readonly<Record<MediaJobType, JobRunner>>;
  /** Starts those that each library has at night. Nothing starts where nothing can be converted. */
  readonly startAll: () => Promise<void>;
}

/** What they need. */
export interface MediaJobsParts {
  readonly studied: StudiedFiles;
  readonly findPlayed: (fileId: string, viewer: Viewer) => Promise<PlayedFile>;
  readonly studies: Studies;
  readonly still: OpenStill;
  readonly trickplay: TrickplayStore;
  readonly jobs: Pick<Jobs, 'enqueue'>;
  readonly people: PeopleFirst;
}

/** Where a job is, and what it did so far. */
interface Checkpoint {
  /** The number of the last file that is done. */
  readonly after: number;
  readonly made: number;
  readonly failed: number;
}

/** How a file went. */
type Look = 'made' | 'failed' | 'full';

/** What a job does. */
interface Kind {
  readonly wants: (file: StudiedFile) => boolean;
  /** `null` = there is nothing to do. */
  readonly look: (
    file: StudiedFile,
    job: { readonly libraryId: string; readonly signal: AbortSignal },
  ) => Promise<Look | null>;
  readonly end?: (libraryId: string) => Promise<void>;
}

/** Files that are read at once to find one to look at. */
const pageSize = 100;
/** Where in a film its still is. */
const stillPlace = 0.2;
/** A job of the machine goes behind those that people wait for. */
const priority = 10;
/** How long a job waits for another one of them. */
const othersMs = 3000;

/** Creates them. */
export function createMediaJobs(parts: MediaJobsParts): MediaJobs {
  const { studied, studies, trickplay, people } = parts;
  let isLooking = false;

  const kinds: Readonly<Record<MediaJobType, Kind>> = {
    trickplay: {
      wants: ({ kind }) => kind === 'video',
      look: async ({ id }, { signal }) => {
        const file = await parts.findPlayed(id, serverViewer);
        if (file.duration === null || (await trickplay.find(file.contentKey)) !== null) return null;
        if (!(await trickplay.hasRoom())) return 'full';
        const picture = file.streams.find(({ kind }) => kind === 'video') ?? {};
        const shape = sheetWorkOf(picture, file.duration);
        const study = { file, mayGoOn: () => people.wait(signal), signal };
        return orFailed(
          async () =>
            trickplay.keep(file.contentKey, {
              ...shape,
              sheets: await studies.sheets(study, shape),
            }),
          () => trickplay.fail(file.contentKey),
        );
      },
    },
    stills: {
      wants: ({ kind, isPrimary, hasPicture }) => kind === 'video' && isPrimary && !hasPicture,
      look: async (found, { libraryId, signal }) => {
        const file = await parts.findPlayed(found.id, serverViewer);
        const atMs = Math.round((file.duration ?? 0) * stillPlace * 1000);
        return orFailed(async () => {
          await parts.still(file, atMs, { mayGoOn: () => people.wait(signal), signal });
          await studied.setStill(libraryId, found, atMs);
        });
      },
    },
    loudness: {
      wants: ({ kind, size, modifiedAt, loudness }) =>
        kind === 'audio' && (loudness?.size !== size || loudness.modifiedAt !== modifiedAt),
      look: async (found, { signal }) => {
        const { size, modifiedAt } = found;
        const file = await parts.findPlayed(found.id, serverViewer);
        const known = { size, modifiedAt, lufs: null, peak: null, albumGain: null };
        const study = { file, mayGoOn: () => people.wait(signal), signal };
        return orFailed(
          async () => studied.setLoudness(found, { ...known, ...(await studies.loudness(study)) }),
          () => studied.setLoudness(found, known),
        );
      },
      end: studied.setAlbumGains,
    },
  };

  async function step(
    { type, libraryId }: Job,
    { wants, look, end }: Kind,
    { after, made, failed }: Checkpoint,
    signal: AbortSignal,
  ): ReturnType<JobRunner['step']> {
    if (libraryId === null) return { done: true, result: await fanOut(type as MediaJobType) };
    const page = await studied.page(libraryId, { after, limit: pageSize });
    for (const file of page) {
      if (!wants(file)) continue;
      const found = await alone(() => ofThere(() => look(file, { libraryId, signal })));
      if (found === null) continue;
      if (found === 'full') return { done: true, result: { made, failed, isFull: true } };
      const checkpoint: Checkpoint = {
        after: file.no,
        made: made + Number(found === 'made'),
        failed: failed + Number(found === 'failed'),
      };
      return { done: false, checkpoint, progress: await progressAt(libraryId, file.no) };
    }
    const last = page.at(-1);
    if (last !== undefined) {
      const checkpoint: Checkpoint = { after: last.no, made, failed };
      return { done: false, checkpoint, progress: await progressAt(libraryId, last.no) };
    }
    await end?.(libraryId);
    return { done: true, result: { made, failed } };
  }

  /** One file at a time, and none while people need the machine: the place in the queue is freed. */
  async function alone<T>(look: () => Promise<T>): Promise<T> {
    const ms = isLooking ? othersMs : people.busyMs();
    if (ms > 0) throw new JobWaits(ms);
    isLooking = true;
    try {
      return await look();
    } finally {
      isLooking = false;
    }
  }

  async function progressAt(libraryId: string, no: number): Promise<number> {
    const [first] = await studied.page(libraryId, { after: 0, limit: 1 });
    const last = await studied.last(libraryId);
    const start = first?.no ?? 0;
    return last <= start ? 1 : Math.min(1, Math.max(0, (no - start) / (last - start)));
  }

  async function fanOut(type: MediaJobType): Promise<Readonly<Record<string, unknown>>> {
    const jobIds: string[] = [];
    for (const libraryId of await studied.librariesWith(type)) {
      const job = await parts.jobs.enqueue({ type, libraryId, priority }).catch(nullWhereBusy);
      if (job !== null) jobIds.push(job.id);
    }
    return { jobIds };
  }

  const runnerOf = (type: MediaJobType): JobRunner => ({
    step: (job, checkpoint, signal) => step(job, kinds[type], parseCheckpoint(checkpoint), signal),
  });

  return {
    runners: {
      loudness: runnerOf('loudness'),
      stills: runnerOf('stills'),
      trickplay: runnerOf('trickplay'),
    },
    startAll: async () => {
      if ((await studies.missing()) !== null) return;
      for (const type of ['stills', 'loudness', 'trickplay'] as const) await fanOut(type);
    },
  };
}

async function orFailed(look: () => Promise<void>, fail?: () => Promise<void>): Promise<Look> {
  try {
    await look();
    return 'made';
  } catch (error) {
    if (!isUnreadable(error)) throw error;
    await fail?.();
    return 'failed';
  }
}

/** A file may go, or change, between its row and the look; the next scan finds it. */
async function ofThere(look: () => Promise<Look | null>): Promise<Look | null> {
  try {
    return await look();
  } catch (error) {
    if (isGone(error)) return null;
    throw error;
  }
}

const isGone = (error: unknown): boolean =>
  hasCode(error, 'not_found') || hasCode(error, 'file_changed');

const nullWhereBusy = (error: unknown): null => {
  if (hasCode(error, 'job_running') || hasCode(error, 'not_found')) return null;
  throw error;
};

const hasCode = (error: unknown, code: string): boolean =>
  error instanceof Error && (error as { readonly code?: unknown }).code === code;

/** Only the steps above write it. */
const parseCheckpoint = (value: unknown): Checkpoint =>
  (value as Checkpoint | null) ?? { after: 0, made: 0, failed: 0 };
