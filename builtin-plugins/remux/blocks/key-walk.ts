/**
 * Finds the key pictures of a file without an index, by a walk over all of its blocks. A walk takes
 * some seconds a call; its state says where it goes on.
 */
import type { ByteSource } from '../../media-headers/bytes/byte-source.ts';
import { walkMs } from '../limits.ts';
import { cutFilter } from '../media/choose-cuts.ts';
import type { AskedFile, MediaReader } from '../media/open-media.ts';
import { createWindowSource } from '../media/window-source.ts';
import type { BlockWalker } from './block.ts';
import type { CuePoint } from './cue-points.ts';

const walkWindow = 512 * 1024;
/** Seconds; what lies further apart has a hole between. */
const longestPicture = 0.25;

/** What is known of a walk. */
export interface KeyWalk {
  /** The place of the cluster at which it goes on. */
  readonly at: number;
  readonly isComplete: boolean;
  /** Ticks at which the last block ends, of the track by which the file is cut. */
  readonly last: number;
  /** Key pictures that become cuts, with the places of their clusters. */
  readonly points: readonly CuePoint[];
}

/** How a walk is done. */
export interface WalkInput {
  readonly walk: BlockWalker;
  readonly track: number;
  readonly tracks: ReadonlySet<number>;
  /** Seconds of a tick. */
  readonly fileTick: number;
  readonly milliseconds: number;
  readonly now: () => number;
}

/** Goes on for a while. */
export async function walkKeys(
  source: ByteSource,
  before: KeyWalk,
  { walk, track, tracks, fileTick, milliseconds, now }: WalkInput,
): Promise<KeyWalk> {
  const deadline = now() + milliseconds;
  const points = [...before.points];
  const isCut = cutFilter(points.map(([ticks]) => ticks * fileTick));
  let { last } = before;
  // The two pictures that are shown last: where none says its length, it is the time between them.
  let [latest, earlier] = [-Infinity, -Infinity];
  let cluster = before.at;
  let isStopped = false;
  const at = await walk(source, {
    from: before.at,
    to: source.size,
    tracks,
    visit: (block) => {
      isStopped = block.cluster !== cluster && now() > deadline;
      cluster = block.cluster;
      if (isStopped) return false;
      if (block.track === track) {
        if (block.ticks > latest) [latest, earlier] = [block.ticks, latest];
        else earlier = Math.max(earlier, block.ticks);
        last = Math.max(last, block.ticks + (block.length ?? 1));
      }
      if (block.track === track && block.isKey && isCut(block.ticks * fileTick)) {
        points.push([block.ticks, block.cluster]);
      }
      return true;
    },
  });
  const between = latest - earlier;
  if (between * fileTick < longestPicture) last = Math.max(last, latest + between);
  return { at: isStopped ? cluster : at, isComplete: !isStopped, last, points };
}

const version = 'walk1';

/** The state as a text: differences in base 36. */
export function writeWalk({ at, isComplete, last, points }: KeyWalk): string {
  let [ticks, cluster] = [0, 0];
  const steps = points.map((point) => {
    const step = `${(point[0] - ticks).toString(36)},${(point[1] - cluster).toString(36)}`;
    [ticks, cluster] = point;
    return step;
  });
  return [version, at, isComplete ? 1 : 0, last, ...steps].join(' ');
}

/** Parses a state; `undefined` for another version. */
export function readWalk(text: string): KeyWalk | undefined {
  const [named, at, isComplete, last, ...steps] = text.split(' ');
  if (named !== version) return undefined;
  let [ticks, cluster] = [0, 0];
  const points = steps.map((step): CuePoint => {
    const [forward = NaN, along = NaN] = step.split(',').map((part) => parseInt(part, 36));
    ticks += forward;
    cluster += along;
    return [ticks, cluster];
  });
  const numbers = [Number(at), Number(last), ...points.flat()];
  if (!numbers.every((number) => Number.isFinite(number))) return undefined;
  return { at: Number(at), isComplete: isComplete === '1', last: Number(last), points };
}

/**
 * What is known of a file without an index; only `transcode.index` goes on with the walk. `from` is
 * where the media begins.
 */
export async function continueWalk(
  reader: MediaReader,
  { state, mayWalk }: AskedFile,
  input: Omit<WalkInput, 'milliseconds' | 'now'> & { readonly from: number },
): Promise<KeyWalk> {
  const start: KeyWalk = { at: input.from, isComplete: false, last: 0, points: [] };
  const known = (state === null ? undefined : readWalk(state)) ?? start;
  if (known.isComplete || !mayWalk) return known;
  const source = createWindowSource(reader, walkWindow);
  return walkKeys(source, known, { ...input, milliseconds: walkMs, now: Date.now });
}
