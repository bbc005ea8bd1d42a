import type { Queries } from '../../../../kernel/store/index.ts';
import type { Scope } from '../access/index.ts';
import { timestamp } from '../tables/rows.ts';
import { choosePicture, readPictureLooks, type ChosenPicture } from '../tables/shown-picture.ts';
import {
  readArtistsOf,
  readItemPictures,
  readListedEntities,
  readParents,
  type ListedEntityRow,
} from './entity-listing-store.ts';
import type { EntityProfile } from './entity-profile.ts';
import { datedTypes } from './entity-sort.ts';
import { readEntityTotals, type EntityTotals } from './entity-totals-store.ts';
import { toEntity } from './entity.ts';
import type { EntityArtist, ListedEntity } from '../../../contract/resources/library/catalogue.ts';

/** For whom entities are read. */
export interface EntityReader {
  readonly scope: Scope;
  readonly profileId: string;
  readonly profile: EntityProfile;
}

/** Types without pictures of their items: a film's poster is not a picture of a person. */
const unpictured: ReadonlySet<string> = new Set(['person', 'studio']);
const mostArtists = 5;

/**
 * Reads entities in the order of their numbers, in a few statements for all. The caller has checked
 * that the viewer may see them.
 */
export async function readListed(
  db: Queries,
  numbers: readonly number[],
  reader: EntityReader,
): Promise<readonly ListedEntity[]> {
  if (numbers.length === 0) return [];
  const { scope, profileId, profile } = reader;
  const [rows, totals, watched] = await Promise.all([
    readListedEntities(db, numbers),
    readEntityTotals(db, numbers, scope),
    profile.watched(db, profileId, numbers, scope),
  ]);
  const ids = rows.map(({ id }) => id);
  const [marks, parents] = await Promise.all([
    profile.marks(db, profileId, ids),
    parentsOf(db, rows, scope),
  ]);
  const [artists, pictures] = await Promise.all([
    artistsOf(db, rows, { parents, scope }),
    picturesOf(db, rows, { parents, totals }),
  ]);
  const withLook = await readPictureLooks(db, pictures.values());
  const byNo = new Map(
    rows.map((row) => {
      const total = totals.get(row.no);
      const picture = pictures.get(row.no);
      const listed: ListedEntity = {
        ...toEntity(row, scope.entityLanguages),
        itemCount: total?.items ?? 0,
        unwatchedCount: Math.max(0, (total?.items ?? 0) - (watched.get(row.no) ?? 0)),
        year: datedTypes.has(row.type) ? (row.year ?? total?.year ?? null) : null,
        artists: artists.get(row.no) ?? [],
        picture: picture === undefined ? null : withLook(picture),
        duration: total?.duration ?? null,
        addedAt: total === undefined ? null : timestamp(total.addedAt),
        favourite: marks.get(row.id)?.favourite ?? false,
        myRating: marks.get(row.id)?.myRating ?? null,
      };
      return [row.no, listed] as const;
    }),
  );
  return numbers.flatMap((no) => byNo.get(no) ?? []);
}

type Parents = ReadonlyMap<number, ListedEntityRow>;

async function parentsOf(
  db: Queries,
  rows: readonly ListedEntityRow[],
  scope: Scope,
): Promise<Parents> {
  const numbers = new Set(rows.flatMap(({ parent_no: no }) => no ?? []));
  const parents = await readParents(db, [...numbers], scope);
  return new Map(parents.map((parent) => [parent.no, parent]));
}

const parentOf = (row: ListedEntityRow, parents: Parents): ListedEntityRow | undefined =>
  row.parent_no === null ? undefined : parents.get(row.parent_no);

async function artistsOf(
  db: Queries,
  rows: readonly ListedEntityRow[],
  { parents, scope }: { readonly parents: Parents; readonly scope: Scope },
): Promise<ReadonlyMap<number, readonly EntityArtist[]>> {
  const albums = rows.filter(({ type }) => type === 'album');
  const [owned, others] = [true, false].map((isOwned) =>
    albums.flatMap((row) => ((parentOf(row, parents) !== undefined) === isOwned ? row.no : [])),
  );
  const found = await Promise.all([
    readArtistsOf(db, owned ?? [], { scope, roles: ['albumArtist'] }),
    readArtistsOf(db, others ?? [], { scope, roles: ['albumArtist', 'artist'] }),
  ]);
  const credits = Map.groupBy(found.flat(), (row) => row.album_no);
  return new Map(
    albums.map((row) => {
      const own = parentOf(row, parents);
      const further = (credits.get(row.no) ?? []).filter(({ id }) => id !== own?.id);
      const all = [...(own === undefined ? [] : [own]), ...further].slice(0, mostArtists);
      return [row.no, all.map(({ id, name }) => ({ id, name }))];
    }),
  );
}

/** The picture of each entity that has one, by its number. */
async function picturesOf(
  db: Queries,
  rows: readonly ListedEntityRow[],
  {
    parents,
    totals,
  }: { readonly parents: Parents; readonly totals: ReadonlyMap<number, EntityTotals> },
): Promise<ReadonlyMap<number, ChosenPicture>> {
  const pictures = new Map<number, ChosenPicture>();
  const itemNumbers = new Map<number, number>();
  for (const row of rows) {
    const parent = row.type === 'season' ? parentOf(row, parents) : undefined;
    const picture = choosePicture(row) ?? (parent && choosePicture(parent));
    const itemNo = unpictured.has(row.type) ? undefined : totals.get(row.no)?.picturedNo;
    if (picture) pictures.set(row.no, picture);
    else if (itemNo != null) itemNumbers.set(row.no, itemNo);
  }
  const items = await readItemPictures(db, [...new Set(itemNumbers.values())]);
  const byItem = new Map(items.map((item) => [item.no, choosePicture(item)]));
  for (const [no, itemNo] of itemNumbers) {
    const picture = byItem.get(itemNo);
    if (picture) pictures.set(no, picture);
  }
  return pictures;
}
