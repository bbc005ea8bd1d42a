/**
 * Jobs that look at media in the cage: `trickplay`, `stills` and `loudness`. Each step looks at one
 * file of a library, in the order of their numbers, and gives way to people.
 */
import type { KernelErrorCode } from '../../../kernel/index.ts';
import { serverViewer, type Viewer } from '../../people/viewer/index.ts';
import type { JobRunResult } from '../../../plugin-api/index.ts';
import { createSemaphore } from '../../../packages/lib/concurrency/index.ts';
import { AppError } from '../../platform/errors.ts';
import {
  type MediaJobType,
  type StudiedFile,
  type StudiedFiles,
} from '../../library/catalogue/studies/index.ts';
import type { Studies } from '../conversion/index.ts';
import type { PlayedFile } from '../transcoding/index.ts';
import { sheetWorkOf, type TrickplayStore } from '../trickplay/index.ts';
import type { PeopleFirst } from './people-first.ts';
import { isUnreadable, type OpenStill } from './stills.ts';
import { mediaJobTypes } from '../../contract/resources/library/libraries.ts';

/** Runs the steps of one type of jobs. */
export interface MediaJobRunner {
  readonly step: (
    job: { readonly libraryId: string | null },
    checkpoint: unknown,
    signal: AbortSignal,
  ) => Promise<JobRunResult>;
  readonly ended: (job: { readonly payload: Readonly<Record<string, unknown>> }) => Promise<void>;
}

/** What they need. */
export interface MediaJobsParts {
  readonly studied: StudiedFiles;
  readonly findPlayed: (fileId: string, viewer: Viewer) => Promise<PlayedFile>;
  readonly studies: Studies;
  readonly still: OpenStill;
  readonly trickplay: TrickplayStore;
  readonly jobs: {
    readonly enqueue: (job: {
      readonly type: MediaJobType;
      readonly priority: number;
      readonly payload: Readonly<Record<string, unknown>>;
    }) => Promise<unknown>;
    readonly list: (
      viewer: Viewer,
      query: { readonly status: readonly ('pending' | 'running')[] },
    ) => Promise<{ readonly jobs: readonly { readonly type: string }[] }>;
  };
  readonly people: PeopleFirst;
}

/** Where a job is, and what it did so far. */
interface Checkpoint {
  /** Ids of the libraries that are left, the present one first. */
  readonly libraries: readonly string[];
  /** The number of the last file of it that is done. */
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
/** So many jobs have a place in the queue at most, so that those of others go on. */
const mostHeld = 2;
const tooMany = 'Two jobs that look at media run already; start this one when one of them is over.';

export class MediaJobs {
  readonly #parts: MediaJobsParts;
  readonly #turns = createSemaphore(1);
  /** Jobs that look at a file, or wait for their turn. */
  #held = 0;
  readonly #kinds: Readonly<Record<MediaJobType, Kind>>;

  constructor(parts: MediaJobsParts) {
    this.#parts = parts;
    this.#kinds = {
      trickplay: {
        wants: ({ kind }) => kind === 'video',
        look: async ({ id }, { signal }) => {
          const file = await parts.findPlayed(id, serverViewer);
          if (file.duration === null || (await parts.trickplay.find(file.contentKey)) !== null)
            return null;
          if (!(await parts.trickplay.hasRoom())) return 'full';
          const picture = file.streams.find(({ kind }) => kind === 'video') ?? {};
          const shape = sheetWorkOf(picture, file.duration);
          const study = { file, mayGoOn: () => parts.people.wait(signal), signal };
          return orFailed(
            async () =>
              parts.trickplay.keep(file.contentKey, {
                ...shape,
                sheets: await parts.studies.sheets(study, shape),
              }),
            () => parts.trickplay.fail(file.contentKey),
          );
        },
      },
      stills: {
        wants: ({ kind, isPrimary, hasPicture }) => kind === 'video' && isPrimary && !hasPicture,
        look: async (found, { libraryId, signal }) => {
          const file = await parts.findPlayed(found.id, serverViewer);
          const atMs = Math.round((file.duration ?? 0) * stillPlace * 1000);
          return orFailed(async () => {
            await parts.still(file, atMs, { mayGoOn: () => parts.people.wait(signal), signal });
            await parts.studied.setStill(libraryId, found, atMs);
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
          const study = { file, mayGoOn: () => parts.people.wait(signal), signal };
          return orFailed(
            async () =>
              parts.studied.setLoudness(found, {
                ...known,
                ...(await parts.studies.loudness(study)),
              }),
            () => parts.studied.setLoudness(found, known),
          );
        },
        end: parts.studied.setAlbumGains,
      },
    };
  }

  /** Looks at the next file that wants it, or ends. */
  async #step(
    kind: Kind,
    { libraries, after, made, failed }: Checkpoint,
    signal: AbortSignal,
  ): Promise<JobRunResult> {
    const [libraryId, ...others] = libraries;
    if (libraryId === undefined) return { done: true, result: { made, failed } };
    const page = await this.#parts.studied.page(libraryId, { after, limit: pageSize });
    for (const file of page) {
      if (!kind.wants(file)) continue;
      const found = await this.#alone(signal, () =>
        ofThere(() => kind.look(file, { libraryId, signal })),
      );
      if (found === null) continue;
      if (found === 'full') return { done: true, result: { made, failed, isFull: true } };
      return this.#goOn({
        libraries,
        after: file.no,
        made: made + Number(found === 'made'),
        failed: failed + Number(found === 'failed'),
      });
    }
    const last = page.at(-1);
    if (last !== undefined) return this.#goOn({ libraries, after: last.no, made, failed });
    await kind.end?.(libraryId);
    return this.#goOn({ libraries: others, after: 0, made, failed });
  }

  async #goOn(checkpoint: Checkpoint): Promise<JobRunResult> {
    const [libraryId] = checkpoint.libraries;
    const last = libraryId === undefined ? 0 : await this.#parts.studied.last(libraryId);
    const progress = last === 0 ? 0 : Math.min(1, checkpoint.after / last);
    return { done: false, checkpoint, progress };
  }

  /** One file at a time, and none while people need the machine. */
  async #alone<T>(signal: AbortSignal, look: () => Promise<T | null>): Promise<T | null> {
    this.#held += 1;
    try {
      if (this.#held > mostHeld) throw new AppError('conflict', { what: tooMany });
      return await this.#turns.run(async () => {
        await this.#parts.people.wait(signal);
        return signal.aborted ? null : look();
      });
    } finally {
      this.#held -= 1;
    }
  }

  readonly #runnerOf = (type: MediaJobType): MediaJobRunner => ({
    step: async ({ libraryId }, checkpoint, signal) => {
      const known = parseCheckpoint(checkpoint);
      const libraries =
        libraryId === null ? await this.#parts.studied.librariesWith(type) : [libraryId];
      return this.#step(
        this.#kinds[type],
        known ?? { libraries, after: 0, made: 0, failed: 0 },
        signal,
      );
    },
    ended: async ({ payload }) => {
      const [next, ...then] = nextOf(payload);
      if (next !== undefined) await this.#start(next, then);
    },
  });

  readonly #start = async (type: MediaJobType, then: readonly MediaJobType[]): Promise<void> =>
    void (await this.#parts.jobs.enqueue({ type, priority, payload: { then } }));

  async #startFirst(type: MediaJobType, then: readonly MediaJobType[] = []): Promise<void> {
    if ((await this.#parts.studies.missing()) !== null) return;
    const { jobs } = await this.#parts.jobs.list(serverViewer, { status: ['pending', 'running'] });
    if (jobs.some(({ type: active }) => mediaJobTypes.some((one) => one === active))) return;
    await this.#start(type, then);
  }

  readonly runners = {
    loudness: this.#runnerOf('loudness'),
    stills: this.#runnerOf('stills'),
    trickplay: this.#runnerOf('trickplay'),
  };

  /**
   * Starts them for the libraries that have them at night, one after the other. Nothing starts
   * where nothing can be converted.
   */
  readonly startAll = (): Promise<void> => this.#startFirst('stills', ['loudness', 'trickplay']);

  /** The same with `stills` alone. */
  readonly startStills = (): Promise<void> => this.#startFirst('stills');
}

export const createMediaJobs = (parts: MediaJobsParts): MediaJobs => new MediaJobs(parts);

/** The jobs that follow one of the night, one after the other. */
const nextOf = ({ then }: Readonly<Record<string, unknown>>): readonly MediaJobType[] =>
  mediaJobTypes.filter((type) => Array.isArray(then) && then.includes(type));

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

/**
 * A file may go, or change, between its row and the look; the next scan finds it. One that the disk does
 * not give counts as failed, and the next job tries it again.
 */
async function ofThere(look: () => Promise<Look | null>): Promise<Look | null> {
  try {
    return await look();
  } catch (error) {
    const code = codeOf(error);
    if (goneCodes.has(code)) return null;
    if (refusedCodes.has(code)) return 'failed';
    throw error;
  }
}

const goneCodes: ReadonlySet<unknown> = new Set(['not_found', 'file_changed']);
const refusedCodes: ReadonlySet<unknown> = new Set([
  'unreadable',
  'permission_denied',
  'outside_root',
  'symlink_loop',
] satisfies readonly KernelErrorCode[]);

const codeOf = (error: unknown): unknown =>
  error instanceof Error ? (error as { readonly code?: unknown }).code : undefined;

/** Only the steps above write it. */
const parseCheckpoint = (value: unknown): Checkpoint | null => value as Checkpoint | null;
