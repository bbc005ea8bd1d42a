/**
 * Items that a profile or a collection says something of. Their tables belong to other parts, which
 * hand in the conditions.
 */
import type { Queries } from '../../../../kernel/store/index.ts';
import type { Viewer } from '../../../people/viewer/index.ts';
import type { Scope } from '../access/index.ts';
import type { Range, WatchedState } from './item-query.ts';

/** Rows of a table that name items in the column `item_id`. */
export interface ItemRows {
  readonly table: string;
  /** SQL over the columns of the table. */
  readonly where: string;
  readonly bindings: readonly (string | number)[];
}

/** What a profile can be asked for. */
export interface ProfileItems {
  readonly played: (
    profileId: string,
    state: Exclude<WatchedState, 'unwatched'> | 'any',
  ) => ItemRows;
  readonly favourites: (profileId: string) => ItemRows;
  readonly rated: (profileId: string, range: Range) => ItemRows;
  /** Its plays, with the SQL of the value to sort by, which is above 0. */
  readonly plays: (
    profileId: string,
    by: 'lastPlayedAt' | 'playCount',
  ) => ItemRows & { readonly value: string };
}

/** The items of a collection that the viewer may see: those of an entity, or rows that name them. */
export type CollectionItems = { readonly entityNo: number } | ItemRows;

/** Undefined when the viewer may not see the collection, or it is missing. */
export type FindCollectionItems = (
  db: Queries,
  id: string,
  by: { readonly viewer: Viewer; readonly scope: Scope },
) => Promise<CollectionItems | undefined>;
