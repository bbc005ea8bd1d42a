import { seeded } from '../seeded.ts';

/** What the generator draws; the same seed draws the same. */
export interface Chance {
  /** From 0 to below 1. */
  readonly share: () => number;
  /** A whole number from 0 to below this. */
  readonly below: (end: number) => number;
  readonly pick: <Value>(values: readonly Value[]) => Value;
  /** Whether something happens that happens with this probability. */
  readonly happens: (probability: number) => boolean;
}

export function createChance(seed: number): Chance {
  const share = seeded(seed);
  const below = (end: number): number => Math.floor(share() * end);
  return {
    share,
    below,
    pick: <Value>(values: readonly Value[]) => values[below(values.length)] as Value,
    happens: (probability) => share() < probability,
  };
}
