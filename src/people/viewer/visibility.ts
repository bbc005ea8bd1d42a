import type { Admission } from '../ratings/index.ts';

/** What a viewer may see: the one filter of every list, count, search, stream and event. */
export interface Visibility {
  /** The only libraries, by id, with their rating limits; `null` = everything in all of them. */
  readonly libraries: ReadonlyMap<string, Admission> | null;
  /**
   * Includes hidden libraries, collections and entities: the request asked for them, and a license
   * allows it.
   */
  readonly showsHidden: boolean;
}

/** Everything that is not hidden. */
export const fullVisibility: Visibility = { libraries: null, showsHidden: false };

/** These libraries and nothing else. */
export const visibilityOfLibraries = (ids: readonly string[]): Visibility => ({
  libraries: new Map(ids.map((id) => [id, []])),
  showsHidden: false,
});

/** What both allow: the libraries in both, with the limits of both. */
export function intersect(one: Visibility, other: Visibility): Visibility {
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
