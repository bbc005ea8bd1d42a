/** One rung of a rating system: `{system: 'MPAA', label: 'PG-13'}`. */
export interface RatingLimit {
  readonly system: string;
  readonly label: string;
}

/**
 * Which items of a library may be seen, by their certification: each of these groups must be met,
 * and a group is met by an item that is within any one of its limits. None = all items; where there
 * is one, an item without a rating is out.
 */
export type Admission = readonly (readonly RatingLimit[])[];

/** What somebody may see. The one filter that every list, count, search, stream and event obeys. */
export interface Sight {
  /** The only libraries, by id, and what of each; `null` = everything in all of them. */
  readonly libraries: ReadonlyMap<string, Admission> | null;
  /** Hidden libraries, collections and entities show: this request asked, and a license allows it. */
  readonly showsHidden: boolean;
}

/** Everything that is not hidden. */
export const fullSight: Sight = { libraries: null, showsHidden: false };

/** All of these libraries and nothing else. */
export const sightOfLibraries = (ids: readonly string[]): Sight => ({
  libraries: new Map(ids.map((id) => [id, []])),
  showsHidden: false,
});

/** What both see: a library in both, and of it what both admit. */
export function narrowed(one: Sight, other: Sight): Sight {
  const showsHidden = one.showsHidden && other.showsHidden;
  if (one.libraries === null) return { libraries: other.libraries, showsHidden };
  if (other.libraries === null) return { libraries: one.libraries, showsHidden };
  const { libraries } = other;
  const both = [...one.libraries].flatMap(([id, admission]) => {
    const further = libraries.get(id);
    return further === undefined ? [] : [[id, [...admission, ...further]] as const];
  });
  return { libraries: new Map(both), showsHidden };
}
