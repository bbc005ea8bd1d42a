/**
 * A conversion that one server tells another one to begin, in the words of both. The file is named by its
 * id: where it lies the other server reads from the database, so that no message makes it open another
 * file. Only the cuts that one process makes are told.
 */
import { AppError } from '../../platform/errors.ts';
import {
  parseRecipe,
  plainKeyOf,
  type ConversionWork,
  type PlayedFile,
} from '../transcoding/index.ts';
import { mostSegments } from './head-span.ts';

/** What is asked of the work: `init`, or segment `n` of its cuts. */
export interface BegunPart {
  readonly work: ConversionWork;
  readonly n: number;
  readonly isInit: boolean;
}

/** Finds a file with the rights of the server. */
export type FindFile = (fileId: string) => Promise<PlayedFile>;

const mostCuts = mostSegments + 3;

/** The message. */
export function begunWork({ work, n, isInit }: BegunPart): Uint8Array {
  const { file, cuts, duration, stream, recipe, timescale, startTime, sessionId } = work;
  // Sound is read from one segment before; one after the last says where that ends.
  const from = Math.max(0, n - 1);
  const until = Math.min(cuts.length, from + mostCuts);
  return Buffer.from(
    JSON.stringify({
      ...{ fileId: file.id, size: file.size, modifiedAt: file.modifiedAt },
      ...{ contentKey: file.contentKey, stream, timescale, startTime, sessionId, isInit },
      recipe: recipe.kind === 'video' ? { video: recipe.video } : { audio: recipe.audio },
      ...{ cuts: cuts.slice(from, until), duration: cuts[until] ?? duration, n: n - from },
    }),
  );
}

/** Reads the message; `null` = it is not one, or the file is another one now. */
export async function readBegunWork(bytes: Uint8Array, find: FindFile): Promise<BegunPart | null> {
  const told = parse(bytes);
  if (told === null) return null;
  const { fileId, size, modifiedAt, contentKey, n, isInit, ...work } = told;
  const file = await find(fileId).catch((error: unknown) => {
    if (error instanceof AppError) return null;
    throw error;
  });
  if (file === null || file.size !== size || file.modifiedAt !== modifiedAt) return null;
  // The other server may not read the file, and then names its content by what it knows of it.
  if (![file.contentKey, plainKeyOf(file)].includes(contentKey)) return null;
  return { work: { ...work, file: { ...file, contentKey } }, n, isInit };
}

type Told = Omit<ConversionWork, 'file'> & {
  readonly fileId: string;
  readonly size: number;
  readonly modifiedAt: number;
  readonly contentKey: string;
  readonly n: number;
  readonly isInit: boolean;
};

const isWhole = (value: unknown, most = Number.MAX_SAFE_INTEGER): value is number =>
  Number.isSafeInteger(value) && Number(value) >= 0 && Number(value) <= most;
const isText = (value: unknown, most: number): value is string =>
  typeof value === 'string' && value !== '' && value.length <= most;

function parse(bytes: Uint8Array): Told | null {
  const told = mapIn(bytes);
  if (told === null) return null;
  const { fileId, size, modifiedAt, contentKey, stream, timescale, startTime, sessionId } = told;
  const { isInit, duration, n } = told;
  const recipe = recipeIn(told['recipe']);
  const cuts = cutsIn(told['cuts'], duration);
  return recipe !== null &&
    cuts !== null &&
    isText(fileId, 100) &&
    isText(sessionId, 40) &&
    isText(contentKey, 10_000) &&
    isWhole(size) &&
    isWhole(modifiedAt) &&
    isWhole(stream, 10_000) &&
    isWhole(timescale, 1_000_000_000) &&
    timescale > 0 &&
    Number.isSafeInteger(startTime) &&
    isWhole(duration) &&
    isWhole(n, cuts.length - 1) &&
    typeof isInit === 'boolean'
    ? {
        ...{ fileId, size, modifiedAt, contentKey, stream, timescale, sessionId, n, isInit },
        ...{ startTime: Number(startTime), recipe, cuts, duration },
      }
    : null;
}

function mapIn(bytes: Uint8Array): Readonly<Record<string, unknown>> | null {
  try {
    const value: unknown = JSON.parse(Buffer.from(bytes).toString());
    return typeof value === 'object' && value !== null && !Array.isArray(value)
      ? (value as Readonly<Record<string, unknown>>)
      : null;
  } catch {
    return null;
  }
}

function recipeIn(value: unknown): ConversionWork['recipe'] | null {
  const { video, audio } = parseRecipe(value) ?? {};
  if ((video === undefined) === (audio === undefined)) return null;
  if (video !== undefined) return { kind: 'video', video };
  return audio === undefined ? null : { kind: 'audio', audio };
}

/** Each begins after the one before, and the last before the end. */
function cutsIn(value: unknown, end: unknown): readonly number[] | null {
  if (!Array.isArray(value) || value.length === 0 || value.length > mostCuts) return null;
  const cuts = value as readonly unknown[];
  const isRising = [...cuts, end].every(
    (cut, at, all) => isWhole(cut) && (at === 0 || cut > Number(all[at - 1])),
  );
  return isRising ? (cuts as readonly number[]) : null;
}
