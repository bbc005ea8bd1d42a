import type { Queries } from '../../../../kernel/store/index.ts';
import { isActiveItem, itemShows, type Scope } from '../access/index.ts';
import { shownEntityColumns, type EntityRow } from '../tables/entity-store.ts';
import { numberList } from '../tables/entity-count-store.ts';
import { inChunks } from '../tables/rows.ts';
import { visibleEntities } from './entity-list-store.ts';

const listedEntityColumns = [
  ...shownEntityColumns,
  'no',
  'parent_no',
  'year',
  'sort_name',
] as const;

/** An entity as lists read it. */
export type ListedEntityRow = Pick<EntityRow, (typeof listedEntityColumns)[number]>;

/** Entities by number, in no order. The caller has checked that the viewer may see them. */
export async function readListedEntities(
  db: Queries,
  numbers: readonly number[],
): Promise<readonly ListedEntityRow[]> {
  return inChunks(numbers, (group) =>
    db<EntityRow>('entities')
      .whereIn('no', group)
      .select(...listedEntityColumns),
  );
}

/** Parents of listed entities that the scope shows. */
export async function readParents(
  db: Queries,
  numbers: readonly number[],
  scope: Scope,
): Promise<readonly ListedEntityRow[]> {
  return inChunks(numbers, (group) =>
    visibleEntities(db, scope, scope.showsHidden)
      .whereIn('no', group)
      .select(...listedEntityColumns),
  );
}

/** An artist of an album. */
export interface ArtistLinkRow {
  readonly album_no: number;
  readonly id: string;
  readonly name: string;
}

/** The artists of the visible items of these albums in one of these roles, those of most items first. */
export async function readArtistsOf(
  db: Queries,
  albumNumbers: readonly number[],
  {
    scope,
    roles,
  }: { readonly scope: Scope; readonly roles: readonly ('albumArtist' | 'artist')[] },
): Promise<readonly ArtistLinkRow[]> {
  const shows = itemShows(db, scope, { by: 'row' });
  return inChunks(albumNumbers, (group) =>
    db.raw<ArtistLinkRow[]>(
      `select albums.entity_no as album_no, entities.id, entities.name
       from item_entities as albums
       join items on items.no = albums.item_no
       join item_entities as credits on credits.item_no = items.no
         and credits.role in (${roles.map((role) => `'${role}'`).join(', ')})
       join entities on entities.no = credits.entity_no and entities.type = 'artist'
       where albums.entity_no in ${numberList(group)} and ${isActiveItem('row')} and ${shows.sql}
         ${scope.showsHidden ? '' : 'and entities.hidden = 0'}
       group by albums.entity_no, entities.no, entities.id, entities.name
       order by albums.entity_no, count(*) desc, entities.no`,
      [...shows.bindings],
    ),
  );
}

/** The pictures of items by number. */
export async function readItemPictures(
  db: Queries,
  itemNumbers: readonly number[],
): Promise<
  readonly {
    readonly no: number;
    readonly assets: string | null;
    readonly asset_aspects: string | null;
  }[]
> {
  return inChunks(itemNumbers, (group) =>
    db('items').whereIn('no', group).select('no', 'assets', 'asset_aspects'),
  );
}
