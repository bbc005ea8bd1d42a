export interface RatingLevel {
  /** The label in the spelling of the system: `PG-13`. */
  readonly label: string;
  /** The minimum age in years; an estimate where the system only advises. */
  readonly age: number;
  /** Other spellings of the level, and levels that allow the same: `12A` for `12`. */
  readonly aliases: readonly string[];
}

/** A rating authority, and its levels from the mildest to the strictest. */
export interface RatingSystem {
  /** The name in a limit: `FSK` in `FSK 12`. */
  readonly id: string;
  /** The rating authority. */
  readonly authority: string;
  /** The source that describes the levels. */
  readonly source: string;
  /** Other names of the system before a label. */
  readonly aliases: readonly string[];
  /** Codes and names of countries before a label: `DE` in `DE:12`, `de/12`. */
  readonly countries: readonly string[];
  /** Letters that may follow a label and give the reason: the `LV` of `TV-14-LV`. */
  readonly descriptors: string;
  readonly levels: readonly RatingLevel[];
}

/** A level: its label, its age, its other spellings. */
export const level = (label: string, age: number, ...aliases: readonly string[]): RatingLevel => ({
  label,
  age,
  aliases,
});
