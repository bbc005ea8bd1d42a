/** The filters of PNG rows (ISO/IEC 15948, 9.2): each byte is stored as the difference to a guess. */
import { malformed } from '../picture-error.ts';
import { bitsPerPixel, type PngLayout } from './png-colours.ts';

/** Collects the bytes of rows and undoes their filters. */
export type Unfilter = ReturnType<typeof createUnfilter>;

/** Creates it. A row is valid until the next one is taken. */
export function createUnfilter(layout: Pick<PngLayout, 'colour' | 'depth'>) {
  const bits = bitsPerPixel(layout);
  const step = Math.max(1, bits >> 3);
  let current = new Uint8Array(0);
  let previous = new Uint8Array(0);
  let filled = 0;
  let filter = 0;
  let hasFilter = false;
  return {
    /** Begins a pass with rows of this many pixels. */
    begin: (width: number): void => {
      const length = Math.ceil((width * bits) / 8);
      current = new Uint8Array(length);
      previous = new Uint8Array(length);
      [filled, hasFilter] = [0, false];
    },
    /** Takes bytes of the chunk: how many, and the row that they complete, if any. */
    take: (chunk: Uint8Array, at: number): [taken: number, row: Uint8Array | null] => {
      if (!hasFilter) {
        [filter, hasFilter] = [chunk[at] ?? 0, true];
        return [1, null];
      }
      const taken = Math.min(current.length - filled, chunk.length - at);
      current.set(chunk.subarray(at, at + taken), filled);
      filled += taken;
      if (filled < current.length) return [taken, null];
      undo(filter, current, previous, step);
      [current, previous] = [previous, current];
      [filled, hasFilter] = [0, false];
      return [taken, previous];
    },
  };
}

function undo(filter: number, row: Uint8Array, above: Uint8Array, step: number): void {
  switch (filter) {
    case 0:
      return;
    case 1:
      for (let at = step; at < row.length; at++) row[at] = (row[at] ?? 0) + (row[at - step] ?? 0);
      return;
    case 2:
      for (let at = 0; at < row.length; at++) row[at] = (row[at] ?? 0) + (above[at] ?? 0);
      return;
    case 3:
      for (let at = 0; at < row.length; at++) {
        const left = at < step ? 0 : (row[at - step] ?? 0);
        row[at] = (row[at] ?? 0) + ((left + (above[at] ?? 0)) >> 1);
      }
      return;
    case 4:
      for (let at = 0; at < row.length; at++) {
        const left = at < step ? 0 : (row[at - step] ?? 0);
        const corner = at < step ? 0 : (above[at - step] ?? 0);
        row[at] = (row[at] ?? 0) + paeth(left, above[at] ?? 0, corner);
      }
      return;
    default:
      throw malformed('A row of the picture is damaged.');
  }
}

function paeth(left: number, up: number, corner: number): number {
  const guess = left + up - corner;
  const [toLeft, toUp, toCorner] = [
    Math.abs(guess - left),
    Math.abs(guess - up),
    Math.abs(guess - corner),
  ];
  if (toLeft <= toUp && toLeft <= toCorner) return left;
  return toUp <= toCorner ? up : corner;
}
