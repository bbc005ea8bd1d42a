/** Edit lists: which stretches of a track are shown, and when (ISO/IEC 14496-12, 8.6.6). */
import { i32, u32, u64, u8 } from '../bytes/numbers.ts';

/** A stretch of a track that is shown, in ticks of the track. */
export interface Edit {
  /** When it is shown. */
  readonly shownFrom: number;
  /** Where it begins in the track. */
  readonly from: number;
  /** Infinite where the list does not say it. */
  readonly length: number;
}

/** Ticks per second. */
export interface EditScales {
  readonly scale: number;
  /** Of the whole movie, in which the list has its lengths. */
  readonly movieScale: number;
}

const mostEdits = 100;
const whole: readonly Edit[] = [{ shownFrom: 0, from: 0, length: Infinity }];

/**
 * Reads the content of `elst`. There is always at least one edit: a list that shows nothing counts as
 * none. Edits that go on where the one before them ends are one.
 */
export function readEdits(
  content: Uint8Array | undefined,
  { scale, movieScale }: EditScales,
): readonly Edit[] {
  if (content === undefined || movieScale === 0) return whole;
  const isLong = u8(content, 0) === 1;
  const width = isLong ? 20 : 12;
  const edits: Edit[] = [];
  let shownFrom = 0;
  let left = Math.min(u32(content, 4), mostEdits);
  for (let at = 8; left > 0 && at + width <= content.length; left--, at += width) {
    const ticks = isLong ? u64(content, at) : u32(content, at);
    const from = isLong ? i64(content, at + 8) : i32(content, at + 4);
    const length = (ticks * scale) / movieScale;
    // Files in fragments do not know their length.
    if (from >= 0 && ticks > 0) add(edits, { shownFrom, from, length }, scale / movieScale);
    else if (from >= 0 && edits.length === 0) return [{ shownFrom, from, length: Infinity }];
    shownFrom = Math.round(shownFrom + length);
  }
  return edits.length === 0 ? [{ shownFrom, from: 0, length: Infinity }] : edits;
}

/** The list rounds lengths to ticks of the movie. */
function add(edits: Edit[], edit: Edit, rounding: number): void {
  const before = edits.at(-1);
  if (before === undefined) return void edits.push(edit);
  const isNext = (key: 'from' | 'shownFrom'): boolean =>
    Math.abs(before[key] + before.length - edit[key]) <= Math.max(1, rounding);
  if (!isNext('from') || !isNext('shownFrom')) return void edits.push(edit);
  edits[edits.length - 1] = { ...before, length: edit.from - before.from + edit.length };
}

function i64(bytes: Uint8Array, at: number): number {
  return i32(bytes, at) * 0x100000000 + u32(bytes, at + 4);
}
