import type { Queries } from '../../../../kernel/store/index.ts';
import type { EntityMarks } from '../../../contract/resources/viewing/marks.ts';
import type { Condition, Scope } from '../access/index.ts';

/** What a profile says of entities and of their items. */
export interface EntityProfile {
  /** What it says of those of these entities of which it says something, by their ids. */
  readonly marks: (
    db: Queries,
    profileId: string,
    entityIds: readonly string[],
  ) => Promise<ReadonlyMap<string, EntityMarks>>;
  /** SQL that is true for its favourites; the row of the entity is `entities`. */
  readonly isFavourite: (profileId: string) => Condition;
  /** How many visible items of these entities it watched, by number; none is left out. */
  readonly watched: (
    db: Queries,
    profileId: string,
    entityNumbers: readonly number[],
    scope: Scope,
  ) => Promise<ReadonlyMap<number, number>>;
  /** SQL of `entity_no` and `plays`, how often it played visible items; in brackets. */
  readonly plays: (db: Queries, profileId: string, scope: Scope) => Condition;
}
