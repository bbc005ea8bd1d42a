/**
 * Reads the text of `/metrics` and makes from two readings what a chart shows. Source:
 * https://prometheus.io/docs/instrumenting/exposition_formats/
 */

/** The sum of all series of a name; names without series are not there. */
export type Reading = ReadonlyMap<string, number>;

/** Sums the series of each name. Comments and what is not a number are passed over. */
export function readingOf(text: string): Reading {
  const sums = new Map<string, number>();
  for (const line of text.split('\n')) {
    const [, name, value] = /^([a-zA-Z_:][\w:]*)(?:\{.*\})? (\S+)/.exec(line) ?? [];
    const number = Number(value);
    if (name !== undefined && Number.isFinite(number))
      sums.set(name, (sums.get(name) ?? 0) + number);
  }
  return sums;
}

/** The readings of a page, the last ones. */
export interface Sample {
  /** Milliseconds of any clock that only goes forward. */
  readonly at: number;
  readonly reading: Reading;
}

/** A value at a moment, such as memory. */
export const gaugeOf =
  (name: string) =>
  (samples: readonly Sample[]): readonly number[] =>
    samples.map(({ reading }) => reading.get(name) ?? 0);

/** How much a counter grew each second, between readings. A restart of the server counts as none. */
export const rateOf =
  (name: string) =>
  (samples: readonly Sample[]): readonly number[] =>
    between(samples, (before, after, seconds) => grown(name, before, after) / seconds);

/** The mean of a histogram or summary in the unit of its sum, between readings. */
export const meanOf =
  (name: string) =>
  (samples: readonly Sample[]): readonly number[] =>
    between(samples, (before, after) => {
      const count = grown(`${name}_count`, before, after);
      return count === 0 ? 0 : grown(`${name}_sum`, before, after) / count;
    });

const grown = (name: string, before: Reading, after: Reading): number =>
  Math.max(0, (after.get(name) ?? 0) - (before.get(name) ?? 0));

const between = (
  samples: readonly Sample[],
  value: (before: Reading, after: Reading, seconds: number) => number,
): readonly number[] =>
  samples.slice(1).map(({ at, reading }, index) => {
    const before = samples[index];
    return before === undefined
      ? 0
      : value(before.reading, reading, Math.max(0.001, (at - before.at) / 1000));
  });
