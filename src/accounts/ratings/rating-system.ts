/** One step of a rating system. */
export interface Rung {
  /** As the system itself writes it: `PG-13`. */
  readonly label: string;
  /** From which age on, in years. Where the system advises and names no age, what it is taken for. */
  readonly age: number;
  /** Other spellings of the same step, and steps that admit the same: `12A` beside `12`. */
  readonly aliases: readonly string[];
}

/** Who rates, and the steps in their order, the mildest first. */
export interface RatingSystem {
  /** How a limit names it: `FSK` in `FSK 12`. */
  readonly id: string;
  /** Who decides. */
  readonly authority: string;
  /** Where its steps are described. */
  readonly source: string;
  /** Other names of the system that stand before a label. */
  readonly aliases: readonly string[];
  /** Codes and names of countries that stand before a label: `DE` in `DE:12`, `de/12`. */
  readonly countries: readonly string[];
  /** Letters that may follow a label and say why: the `LV` of `TV-14-LV`. */
  readonly descriptors: string;
  readonly rungs: readonly Rung[];
}

/** A step: its label, its age, its other spellings. */
export const rung = (label: string, age: number, ...aliases: readonly string[]): Rung => ({
  label,
  age,
  aliases,
});
