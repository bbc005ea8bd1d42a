/** One measured figure: ours against a limit or a peer of the same run, and the goal for the ratio. */
export interface Figure {
  readonly name: string;
  readonly ours: number;
  /** What ours is held against; `null` where the goal is a value of its own. */
  readonly bare: number | null;
  readonly unit: string;
  /** Highest ratio (or value, where `bare` is null); a negative one is a least value. */
  readonly goal: number;
}

/** The line that a bench prints. */
export function figureLine({ name, ours, bare, unit, goal }: Figure): string {
  const value = bare === null ? ours : ours / bare;
  const isMet = goal < 0 ? value >= -goal : value <= goal;
  const sign = goal < 0 ? '≥' : '≤';
  const suffix = bare === null ? ` ${unit}` : 'x';
  const parts = bare === null ? '' : `   ours ${short(ours)} ${unit}, bare ${short(bare)} ${unit}`;
  const verdict = isMet ? 'ok  ' : 'MISS';
  return `${verdict} ${name.padEnd(52)} ${short(value).padStart(8)}${suffix} (goal ${sign} ${Math.abs(goal)}${suffix})${parts}`;
}

const short = (value: number): string =>
  value >= 1000 ? Math.round(value).toString() : value.toPrecision(3);

/** The value below which a share of the values lies. */
export function quantile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
}

export const median = (values: readonly number[]): number => quantile(values, 0.5);
