/** Tables of runs, as in `stts` and `ctts`: so many samples have this value. */
import { i32, u32 } from '../../media-headers/bytes/numbers.ts';

/** A table of runs that is searched by sample. */
export type Runs = ReturnType<typeof createRuns>;

/** Reads the content of the box, with its version and flags. */
export function createRuns(table: Uint8Array, form: 'value' | 'sum') {
  const entries =
    table.length < 8 ? 0 : Math.min(u32(table, 4), Math.floor((table.length - 8) / 8));
  const starts = new Float64Array(entries);
  const values = new Float64Array(entries);
  const sums = new Float64Array(form === 'sum' ? entries : 0);
  let [count, sum] = [0, 0];
  for (let entry = 0; entry < entries; entry++) {
    const length = u32(table, 8 + 8 * entry);
    const value = form === 'sum' ? u32(table, 12 + 8 * entry) : i32(table, 12 + 8 * entry);
    starts[entry] = count;
    values[entry] = value;
    if (form === 'sum') sums[entry] = sum;
    count += length;
    sum += length * value;
  }
  /** The value of a sample, or the sum of all values before it. */
  const at = (sample: number): number => {
    const entry = lastAtOrBefore(starts, sample);
    const value = values[entry] ?? 0;
    return form === 'value' ? value : (sums[entry] ?? 0) + (sample - (starts[entry] ?? 0)) * value;
  };
  /** The sample whose sum is the last at or before a number. */
  const find = (wanted: number): number => {
    const entry = lastAtOrBefore(sums, wanted);
    const value = values[entry] ?? 0;
    const within = value === 0 ? 0 : Math.floor((wanted - (sums[entry] ?? 0)) / value);
    const last = (starts[entry + 1] ?? count) - 1;
    return Math.max(0, Math.min((starts[entry] ?? 0) + within, last));
  };
  return {
    /** Samples in all runs. */
    count,
    at,
    find,
  };
}

/** The place of the last number at or before another, in ascending ones; 0 when there is none. */
export function lastAtOrBefore(sorted: Float64Array, wanted: number): number {
  let [low, high] = [0, sorted.length - 1];
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if ((sorted[middle] ?? 0) <= wanted) low = middle;
    else high = middle - 1;
  }
  return Math.max(0, low);
}
