import type { Queries } from '../../../../kernel/store/index.ts';
import { itemShows, type Scope, type ScopedLibrary } from '../access/index.ts';
import { numberList } from '../tables/entity-count-store.ts';
import { inChunks } from '../tables/rows.ts';

/** An item and the entity with which it stands. */
export interface GroupRow {
  readonly item_no: number;
  readonly id: string;
}

const wordList = (types: readonly string[]): string =>
  `(${types.map((type) => `'${type}'`).join(', ')})`;

/** The entities of these types that the items are linked to. */
export async function readGroups(
  db: Queries,
  itemNumbers: readonly number[],
  { types, showsHidden }: { readonly types: readonly string[]; readonly showsHidden: boolean },
): Promise<readonly GroupRow[]> {
  return inChunks(itemNumbers, (group) =>
    db.raw<GroupRow[]>(
      `select item_entities.item_no, entities.id from item_entities cross join entities
       where item_entities.item_no in ${numberList(group)}
         and entities.no = item_entities.entity_no and entities.type in ${wordList(types)}
         ${showsHidden ? '' : 'and entities.hidden = 0'}`,
    ),
  );
}

/** So many sums of a library are looked through: those of people and genres are among them. */
const mostSums = 1000;

/**
 * Entities of these types with the newest items of a library, by stored sums. One of which the sums
 * wait for the upkeep may be missing or stand too low.
 */
export async function readNewestGroups(
  db: Queries,
  asked: {
    readonly library: ScopedLibrary;
    readonly scope: Scope;
    readonly types: readonly string[];
    readonly limit: number;
  },
): Promise<readonly { readonly id: string; readonly at: number | string }[]> {
  const { library, scope, types, limit } = asked;
  const shows = itemShows(db, { libraries: [library] }, { items: 'counts', by: 'row' });
  return db.raw(
    `select entities.id, max(newest.added_at) as at
     from (select counts.entity_no, counts.added_at from entity_counts as counts
       where counts.library_no = ? and ${shows.sql}
       order by counts.added_at desc limit ${mostSums}) as newest cross join entities
     where entities.no = newest.entity_no and entities.type in ${wordList(types)} ${scope.showsHidden ? '' : 'and entities.hidden = 0'}
     group by entities.id order by at desc, entities.id limit ?`,
    [library.no, ...shows.bindings, limit],
  );
}
