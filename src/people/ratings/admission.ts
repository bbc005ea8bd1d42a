/** One level of a rating system: `{system: 'MPAA', label: 'PG-13'}`. */
export interface RatingLimit {
  readonly system: string;
  readonly label: string;
}

/**
 * The items of a library that may be seen, by certification. Each group of limits must be met, and
 * an item meets a group if it is within any one of its limits. No groups = all items. With groups,
 * an unrated item is excluded.
 */
export type Admission = readonly (readonly RatingLimit[])[];
