/**
 * The first page in one answer. An item or an entity stands in one row only: what is to be continued
 * comes first, then the next episodes, then what is new or liked. Favourites alone may also be new: in a
 * small library everything is. The order in which the profile shows the rows does not change that. A
 * show, an album or a series does not stand in a row `new` while one of its items is to be continued or
 * is next. Every row comes from a domain with the viewer, so the access filter holds for all of them.
 */
import type { Database } from '../../../kernel/store/index.ts';
import type { Entities, Items } from '../../library/catalogue/index.ts';
import type { NewInLibrary } from '../../library/catalogue/items/index.ts';
import type { Viewer } from '../../people/viewer/index.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Collections } from '../collections/index.ts';
import type { Playback } from '../playback/index.ts';
import { readFavourites, type FavouriteRow } from './favourite-store.ts';
import {
  arranged,
  collectionTile,
  entityTile,
  isShown,
  itemTile,
  type HomePage,
  type HomeRow,
} from './home-row.ts';
import { pluginRows, type HomeViews } from './plugin-rows.ts';
import type { HomeTile } from '../../contract/resources/viewing/home.ts';

export interface HomeParts {
  readonly database: Pick<Database, 'read'>;
  readonly items: Pick<Items, 'getTiles' | 'newest' | 'groupsOf'>;
  readonly entities: Pick<Entities, 'getListed'>;
  readonly playback: Pick<Playback, 'continueTiles' | 'nextUpTiles'>;
  readonly collections: Pick<Collections, 'list'>;
  readonly views: HomeViews;
  readonly preferences: { readonly homeRows: (profileId: string) => Promise<readonly string[]> };
  readonly clock: Pick<Clock, 'after'>;
}

const usualLimit = 20;

/** What stands in other rows already. */
interface Taken {
  readonly items: ReadonlySet<string>;
  readonly entities: ReadonlySet<string>;
}

/** A tile to be: only what is shown is read as a whole. */
interface Wanted {
  readonly itemId: string | null;
  readonly entityId: string | null;
}

const isFree = ({ itemId, entityId }: Wanted, before: Taken): boolean =>
  entityId === null ? itemId !== null && !before.items.has(itemId) : !before.entities.has(entityId);

/** The first page. */
export class Home {
  readonly #parts: HomeParts;

  constructor(parts: HomeParts) {
    this.#parts = parts;
  }

  /** Tiles of several rows at once: two statements for all. */
  async #tilesOf(
    rows: readonly (readonly Wanted[])[],
    viewer: Viewer,
  ): Promise<readonly (readonly HomeTile[])[]> {
    const all = rows.flat();
    const entityIds = new Set(all.flatMap(({ entityId }) => entityId ?? []));
    const listed = await this.#parts.entities.getListed([...entityIds], viewer);
    const byId = new Map(listed.map((entity) => [entity.id, entity]));
    // A series of one book is that book.
    const isAlone = ({ entityId, itemId }: Wanted): boolean => {
      const entity = byId.get(entityId ?? '');
      return itemId !== null && entity?.type === 'series' && entity.itemCount === 1;
    };
    const itemIds = all.flatMap((one) =>
      one.itemId !== null && (one.entityId === null || isAlone(one)) ? one.itemId : [],
    );
    const tiles = new Map(
      (await this.#parts.items.getTiles(itemIds, viewer)).map((tile) => [tile.id, itemTile(tile)]),
    );
    return rows.map((row) =>
      row.flatMap((one) => {
        const entity = isAlone(one) ? undefined : byId.get(one.entityId ?? '');
        if (entity !== undefined) return entity.itemCount > 0 ? entityTile(entity) : [];
        return tiles.get(one.itemId ?? '') ?? [];
      }),
    );
  }

  /** Rows of what is new and liked, without what stands in the rows before. */
  async #furtherRows(
    viewer: Viewer,
    found: {
      readonly newest: readonly NewInLibrary[];
      readonly favourites: readonly FavouriteRow[];
    },
    { before, limit }: { readonly before: Taken; readonly limit: number },
  ): Promise<readonly HomeRow[]> {
    const { newest, favourites } = found;
    const fresh = newest.map(({ entries }) =>
      entries.filter((one) => isFree(one, before)).slice(0, limit),
    );
    const liked = favourites
      .filter(({ kind, id }) => !(kind === 'item' && before.items.has(id)))
      .map(({ kind, id }) => ({
        itemId: kind === 'item' ? id : null,
        entityId: kind === 'entity' ? id : null,
      }));
    const tiles = await this.#tilesOf([...fresh, liked], viewer);
    const news = newest.map(({ library }, at) => ({
      ...rowOf('new', tiles[at] ?? []),
      id: `new:${library.id}`,
      title: library.name,
      libraryId: library.id,
    }));
    return [...news, rowOf('favourites', (tiles.at(-1) ?? []).slice(0, limit))];
  }

  async #ownRows(
    viewer: Viewer,
    wanted: readonly string[],
    limit: number,
  ): Promise<readonly HomeRow[]> {
    const { playback, collections, items } = this.#parts;
    const shows = (id: string): boolean => isShown(id, wanted);
    // More than a row has, since some of it stands in other rows.
    const some = limit * 2;
    const [begun, next, listed, newest, favourites] = await Promise.all([
      shows('continue') ? playback.continueTiles(viewer, limit) : [],
      shows('nextUp') ? playback.nextUpTiles(viewer, limit) : [],
      shows('collections') ? collections.list(viewer, { limit: some }) : null,
      items.newest(viewer, some),
      shows('favourites') ? readFavourites(this.#parts.database.read, viewer.profileId, some) : [],
    ]);
    const isBegun = new Set(begun.map(({ id }) => id));
    const following = next.filter(({ id }) => !isBegun.has(id));
    const ids = [...begun, ...following].map(({ id }) => id);
    const before = { items: new Set(ids), entities: new Set(await items.groupsOf(ids)) };
    const found = {
      newest: newest.filter(({ library }) => shows(`new:${library.id}`)),
      favourites,
    };
    // A person's own collections come before automatic ones.
    const { own = [], automatic = [] } = Object.groupBy(listed?.collections ?? [], ({ rule }) =>
      rule === null ? 'own' : 'automatic',
    );
    return [
      rowOf('continue', begun.map(itemTile)),
      rowOf('nextUp', following.map(itemTile)),
      ...(await this.#furtherRows(viewer, found, { before, limit })),
      rowOf('collections', [...own, ...automatic].slice(0, limit).map(collectionTile)),
    ];
  }

  /** Whether rows of plugins are in it, which depend on more than the database. */
  readonly asksPlugins = (): boolean => this.#parts.views.isAsked('ui.home.sections');

  /** `limit` bounds the tiles of each row. Rows without tiles are left out. */
  readonly page = async (viewer: Viewer, limit: number = usualLimit): Promise<HomePage> => {
    const wanted = await this.#parts.preferences.homeRows(viewer.profileId);
    const [own, added] = await Promise.all([
      this.#ownRows(viewer, wanted, limit),
      pluginRows(this.#parts.views, viewer, this.#parts.clock),
    ]);
    const filled = own.filter(({ tiles }) => tiles.length > 0);
    return { rows: arranged([...filled, ...(added ?? [])], wanted), complete: added !== null };
  };
}

/** Creates the first page over the domains. */
export const createHome = (parts: HomeParts): Home => new Home(parts);

const rowOf = (
  kind: 'continue' | 'nextUp' | 'new' | 'favourites' | 'collections',
  tiles: readonly HomeTile[],
): HomeRow => ({ id: kind, kind, title: null, libraryId: null, tiles });
