/** The picture that stands for an item or an entity in lists. */
import type { Queries } from '../../../../kernel/store/index.ts';
import { readKnownPictures, type KnownPicture } from './picture-look-store.ts';
import { parseMap } from './rows.ts';
import type { TilePicture } from '../../../contract/resources/library/catalogue.ts';

/** A picture before its look is known. */
export type ChosenPicture = Pick<TilePicture, 'id' | 'aspect'>;

/** The types of pictures that tiles show, the best first, with their usual aspect. */
const shownTypes: readonly (readonly [type: string, aspect: string])[] = [
  ['poster', 'portrait'],
  ['cover', 'square'],
  ['artist', 'square'],
  ['thumbnail', 'landscape'],
  ['still', 'landscape'],
  ['photo', 'square'],
  ['backdrop', 'landscape'],
];

/** The picture of an item or an entity for tiles. */
export function choosePicture(row: {
  readonly assets: string | null;
  readonly asset_aspects: string | null;
}): ChosenPicture | null {
  const assets = parseMap(row.assets);
  const aspects = parseMap(row.asset_aspects);
  for (const [type, usual] of shownTypes) {
    const id = idOf(assets[type]);
    if (id !== null) return { id, aspect: textOf(aspects[type]) ?? usual };
  }
  return null;
}

const textOf = (value: unknown): string | null =>
  typeof value === 'string' && value.trim() !== '' ? value.trim() : null;

const idOf = (address: unknown): string | null =>
  (typeof address === 'string' && /^\/api\/assets\/([\w-]{1,64})$/.exec(address)?.[1]) || null;

const unseen = { color: null, thumbhash: null };

/**
 * Reads the looks of pictures, as far as they are known. Of one picture that several of them are,
 * such as the cover of an album on each of its tracks, all get one id, so that clients load it once:
 * that of an entity if there is one. `others` are pictures of the same page whose ids may stand in,
 * so the viewer must be allowed to see them.
 */
export async function readPictureLooks(
  db: Queries,
  pictures: Iterable<ChosenPicture>,
  others: Iterable<ChosenPicture> = [],
): Promise<(picture: ChosenPicture) => TilePicture> {
  const ids = [...new Set([...pictures, ...others].map(({ id }) => id))];
  const rows = ids.length === 0 ? [] : await readKnownPictures(db, ids);
  const byContent = new Map<string, KnownPicture>();
  for (const row of rows.toSorted(byEntityAndId))
    if (!byContent.has(contentOf(row))) byContent.set(contentOf(row), row);
  const known = new Map(rows.map((row) => [row.id, byContent.get(contentOf(row)) ?? row]));
  return ({ id, aspect }) => {
    const { color, thumbhash, id: shownId } = known.get(id) ?? { ...unseen, id };
    return { id: shownId, aspect, color, thumbhash };
  };
}

/** Pictures by type: addresses as `/api/assets/<id>`. */
type Assets = Readonly<Record<string, string>>;

/**
 * Gives the pictures of a page's items the addresses that {@link readPictureLooks} would give: one for
 * one picture. `ofEntities` are pictures of entities of the same items.
 */
export async function readSharedAssets(
  db: Queries,
  ofItems: readonly Assets[],
  ofEntities: readonly Assets[],
): Promise<(assets: Assets) => Assets> {
  const withLook = await readPictureLooks(db, picturesOf(ofItems), picturesOf(ofEntities));
  const shared = (address: string): string => {
    const id = idOf(address);
    return id === null ? address : `/api/assets/${withLook({ id, aspect: null }).id}`;
  };
  return (assets) =>
    Object.fromEntries(Object.entries(assets).map(([type, address]) => [type, shared(address)]));
}

const picturesOf = (list: readonly Assets[]): readonly ChosenPicture[] =>
  list.flatMap((assets) =>
    Object.values(assets).flatMap((address) => {
      const id = idOf(address);
      return id === null ? [] : [{ id, aspect: null }];
    }),
  );

const contentOf = ({ uri, source }: KnownPicture): string => `${source}\n${uri}`;

const byEntityAndId = (a: KnownPicture, b: KnownPicture): number =>
  b.of_entity - a.of_entity || (a.id < b.id ? -1 : 1);
