/**
 * The blocks of a file in units: from the place of one key picture to that of the next. A unit that
 * was read is kept for a while, since the segments of all tracks at one place need the same ones.
 */
import { createWindowSource } from '../media/window-source.ts';
import type { MediaReader } from '../media/open-media.ts';
import { mostPackets, overBudget } from '../limits.ts';
import type { Block, BlockWalker } from './block.ts';

/** Reads units. */
export type BlockUnits = ReturnType<typeof createBlockUnits>;

export interface UnitsInput {
  /** Where units start, ascending. */
  readonly starts: readonly number[];
  readonly end: number;
  readonly tracks: ReadonlySet<number>;
  readonly walk: BlockWalker;
}

const windowBytes = 256 * 1024;
const mostKept = 24_000;

/** Creates the units; nothing is read yet. */
export function createBlockUnits({ starts, end, tracks, walk }: UnitsInput) {
  const kept = new Map<number, Promise<readonly Block[]>>();
  let held = 0;
  const read = async (unit: number, reader: MediaReader): Promise<readonly Block[]> => {
    const blocks: Block[] = [];
    let packets = 0;
    const visit = (block: Block): boolean => {
      blocks.push(block);
      packets += block.frames.length;
      if (packets > mostPackets) throw overBudget('A part of the file has too many packets.');
      return true;
    };
    const source = createWindowSource(reader, windowBytes);
    await walk(source, {
      from: starts[unit] ?? end,
      to: starts[unit + 1] ?? end,
      tracks,
      visit,
    });
    held += blocks.length;
    for (const [oldest, pending] of kept) {
      if (held <= mostKept || kept.size <= 1 || oldest === unit) break;
      kept.delete(oldest);
      held -= (await pending.catch(() => [])).length;
    }
    return blocks;
  };
  return {
    count: starts.length,
    /** The unit in which a place lies. */
    unitOf: (cluster: number): number => Math.max(0, lastAtOrBefore(starts, cluster)),
    /** Where a unit starts in the file. */
    startOf: (unit: number): number => starts[unit] ?? end,
    blocks: (unit: number, reader: MediaReader): Promise<readonly Block[]> => {
      const known = kept.get(unit);
      if (known !== undefined) return known;
      const pending = read(unit, reader);
      kept.set(unit, pending);
      pending.catch(() => kept.delete(unit));
      return pending;
    },
  };
}

function lastAtOrBefore(sorted: readonly number[], wanted: number): number {
  let [low, high] = [0, sorted.length - 1];
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if ((sorted[middle] ?? 0) <= wanted) low = middle;
    else high = middle - 1;
  }
  return low;
}
