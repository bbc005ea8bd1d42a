/** The rows of the first page, and their order. */
import type { UISchema } from '../../../plugin-api/index.ts';
import {
  type HomeRow as ShownHomeRow,
  type HomeTile,
} from '../../contract/resources/viewing/home.ts';
import type { ListedEntity, Tile } from '../../contract/resources/library/catalogue.ts';
import type { Collection } from '../../contract/resources/library/collections.ts';

/** A piece of user interface with its plugin. */
export type HomeView = UISchema<string> & { readonly pluginId: string };

/** A row of the first page. `View` is what a plugin gives for a row of its own. */
export interface HomeRow<View = HomeView> extends Omit<ShownHomeRow, 'view'> {
  /** Of a row `plugin`: what the plugin gave. */
  readonly view?: View;
}

/** The first page. */
export interface HomePage<View = HomeView> {
  readonly rows: readonly HomeRow<View>[];
  /** False when a plugin did not answer in time: `ui.home.sections` can be asked for itself. */
  readonly complete: boolean;
}

/**
 * The rows in the order of the profile: those that it names, then the others. A name with `-` before
 * it takes the row away. Names of rows that are not there are passed over.
 */
export function arranged<Row extends Pick<HomeRow, 'id'>>(
  rows: readonly Row[],
  wanted: readonly string[],
): readonly Row[] {
  const byId = new Map(rows.map((row) => [row.id, row]));
  const first = [...new Set(wanted)].flatMap((id) => byId.get(id) ?? []);
  const named = new Set(first);
  return [...first, ...rows.filter((row) => !named.has(row))].filter(({ id }) =>
    isShown(id, wanted),
  );
}

/** Whether the profile has not taken the row away. */
export const isShown = (id: string, wanted: readonly string[]): boolean =>
  !wanted.includes(`-${id}`);

export const itemTile = (tile: Tile): HomeTile => ({
  kind: 'item',
  ...tile,
  itemCount: null,
  unwatchedCount: null,
});

export function entityTile(entity: ListedEntity): HomeTile {
  const { id, type, name, year, picture, favourite, itemCount, unwatchedCount } = entity;
  const artists = entity.artists.map((artist) => artist.name).join(', ');
  return {
    kind: 'entity',
    id,
    type,
    title: name,
    subtitle: artists === '' ? null : artists,
    year,
    picture,
    favourite,
    badges: [],
    itemCount,
    unwatchedCount,
    progress: itemCount === 0 ? 0 : Math.round((1 - unwatchedCount / itemCount) * 1000) / 1000,
    watched: unwatchedCount === 0,
  };
}

export function collectionTile(collection: Collection): HomeTile {
  const { id, kind, name, itemCount, assets, assetAspects } = collection;
  const picture = /^\/api\/assets\/([\w-]{1,64})$/.exec(assets['cover'] ?? '')?.[1];
  const aspect = assetAspects['cover'] ?? null;
  return {
    kind: 'collection',
    id,
    type: kind,
    title: name,
    subtitle: null,
    year: null,
    picture: picture === undefined ? null : { id: picture, aspect, color: null, thumbhash: null },
    progress: 0,
    watched: false,
    favourite: false,
    badges: [],
    itemCount,
    unwatchedCount: null,
  };
}
