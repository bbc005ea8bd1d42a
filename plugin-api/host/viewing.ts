import type { MethodRecords } from '../server/method-record.ts';
import type { MediaItem, MediaPage } from './media.ts';

/** One page of a list. */
export interface ViewingPageQuery {
  /** 1 to 200; 50 when absent. */
  readonly limit?: number;
  /** `nextCursor` of the page before. */
  readonly cursor?: string;
}

/** How far a person is with an item. Seconds; for books pages. */
export interface ViewingState {
  readonly completed: boolean;
  readonly position: number;
  readonly duration: number;
}

/** A playlist or a collection of a person. A playlist is ordered, and an item may stand in it twice. */
export interface ViewingList {
  readonly id: string;
  readonly kind: 'playlist' | 'collection';
  readonly name: string;
  readonly description: string | null;
  /** Items that both the plugin and the person may see; `null` for a plugin that was granted only folders. */
  readonly itemCount: number | null;
  /** The server makes it from the items of an entity, such as a series of films; nobody changes it. */
  readonly isAutomatic: boolean;
  /** ISO 8601. */
  readonly updatedAt: string;
}

/** An entry of a playlist. */
export interface ViewingEntry {
  readonly id: string;
  /** Its place among all entries, 0 = first. */
  readonly position: number;
  readonly item: MediaItem;
}

/**
 * `host.viewing`: what a person watched, marked and put in lists. In a view, an action and a search it
 * is the person of `host.viewer`. Elsewhere it acts for a profile that agreed, through `host.as`.
 *
 * Permission: `viewing: read`, and `viewing: write` for what changes something. At most 600 changes a
 * minute for a profile. Errors: `permission_denied` (also for a guest and a credential that only
 * reads), `not_found`, `invalid_argument` (no person), `conflict` (a list that is full, or that nobody
 * changes), `quota_exceeded`.
 *
 * @example
 * const { profiles } = await host.viewing.profiles({});
 * for (const { profile } of profiles)
 *   await host.as(profile).viewing.watched({ id: item.id, watched: true });
 */
export interface ViewingService {
  /** The profiles that agreed, by the word that stands for them here, and to what. */
  readonly profiles: (input: Readonly<Record<string, never>>) => Promise<{
    readonly profiles: readonly { readonly profile: string; readonly level: 'read' | 'write' }[];
  }>;
  /** What was started and not finished, the latest first. */
  readonly resume: (input: ViewingPageQuery) => Promise<MediaPage>;
  /** The next episode of each watched show, the latest first; of one show with `showId`. */
  readonly nextUp: (input: ViewingPageQuery & { readonly showId?: string }) => Promise<MediaPage>;
  /**
   * What a player elsewhere says: where it stands, or with `completed` that it was watched to the end.
   * `secondsAgo`: how long ago that was; a newer state stays, and is the answer. Without `fileId` the
   * position is in the item as a whole.
   */
  readonly report: (input: {
    readonly itemId: string;
    readonly position: number;
    readonly fileId?: string;
    readonly duration?: number;
    readonly completed?: boolean;
    readonly secondsAgo?: number;
  }) => Promise<ViewingState>;
  /**
   * Marks an item, or all items of an entity such as a show. Taking it back forgets all plays. An entity
   * is `permission_denied` for a plugin that was granted only folders.
   */
  readonly watched: (input: { readonly id: string; readonly watched: boolean }) => Promise<null>;
  /** Of an item or an entity. */
  readonly favourite: (input: { readonly id: string; readonly on: boolean }) => Promise<null>;
  /** Of an item or an entity: 0.5 to 5 in steps of 0.5; `null` removes the rating. */
  readonly rate: (input: { readonly id: string; readonly stars: number | null }) => Promise<null>;
  /** Playlists and collections by name. With `kind` a page may be shorter than `limit` before the end. */
  readonly lists: (
    input: ViewingPageQuery & { readonly kind?: 'playlist' | 'collection' },
  ) => Promise<{ readonly lists: readonly ViewingList[]; readonly nextCursor: string | null }>;
  /**
   * The entries of a playlist in their order, without those of items that the plugin or the person may
   * not see. `host.media.list` with `collectionId` has the items of a collection.
   */
  readonly entries: (
    input: ViewingPageQuery & { readonly listId: string },
  ) => Promise<{ readonly entries: readonly ViewingEntry[]; readonly nextCursor: string | null }>;
  /** Makes a list with these items, 1000 at most. */
  readonly createList: (input: {
    readonly kind: 'playlist' | 'collection';
    readonly name: string;
    readonly description?: string;
    readonly itemIds?: readonly string[];
  }) => Promise<ViewingList>;
  /**
   * Changes a list, in this order. `remove` has ids of entries of a playlist, and ids of items of a
   * collection. `replace` puts these items in the place of all entries of a playlist that the plugin
   * sees, in one step. `add` puts items at the end, or at the place `at`. A list has 1000 ids at most.
   */
  readonly changeList: (input: {
    readonly listId: string;
    readonly name?: string;
    readonly description?: string;
    readonly remove?: readonly string[];
    readonly replace?: readonly string[];
    readonly add?: readonly string[];
    readonly at?: number;
  }) => Promise<ViewingList>;
  /** Removes a list. One with items that the plugin may not see is `permission_denied`. */
  readonly removeList: (input: { readonly listId: string }) => Promise<null>;
}

const reading = {
  permission: { name: 'viewing', level: 'read' },
  scope: 'filtered',
  viewer: 'filtered',
  forProfiles: true,
} as const;
const writing = {
  permission: { name: 'viewing', level: 'write' },
  scope: 'filtered',
  viewer: 'writer',
  forProfiles: true,
} as const;
const id = { type: 'string', minLength: 1, maxLength: 200 } as const;
const ids = { type: 'array', maxItems: 1000, items: id } as const;
const seconds = { type: 'number', minimum: 0, maximum: 1e9 } as const;
const name = { type: 'string', minLength: 1, maxLength: 200 } as const;
const description = { type: 'string', maxLength: 10_000 } as const;
const kind = { enum: ['playlist', 'collection'] satisfies readonly ViewingList['kind'][] } as const;
const page = {
  limit: { type: 'integer', minimum: 1, maximum: 200 },
  cursor: { type: 'string', minLength: 1, maxLength: 4000 },
} as const;

/** What the server knows of each method. @internal */
export const viewingMethods = {
  profiles: {
    ...reading,
    done: {
      english: 'asked which profiles agreed',
      german: 'gefragt, welche Profile zugestimmt haben',
    },
  },
  resume: {
    ...reading,
    takes: page,
    done: { english: 'looked at what was begun', german: 'Begonnenes angesehen' },
  },
  nextUp: {
    ...reading,
    takes: { ...page, showId: id },
    done: { english: 'looked at the next episodes', german: 'die nächsten Folgen angesehen' },
  },
  report: {
    ...writing,
    scope: 'item',
    needs: { itemId: id, position: seconds },
    takes: {
      fileId: id,
      duration: seconds,
      completed: { type: 'boolean' },
      secondsAgo: { type: 'number', minimum: 0, maximum: 1e8 },
    },
    done: { english: 'set a position', german: 'eine Stelle gesetzt' },
  },
  watched: {
    ...writing,
    needs: { id, watched: { type: 'boolean' } },
    done: { english: 'marked something as watched', german: 'etwas als gesehen markiert' },
  },
  favourite: {
    ...writing,
    needs: { id, on: { type: 'boolean' } },
    done: { english: 'changed a favourite', german: 'einen Favoriten geändert' },
  },
  rate: {
    ...writing,
    needs: {
      id,
      stars: { type: ['number', 'null'], minimum: 0.5, maximum: 5, multipleOf: 0.5 },
    },
    done: { english: 'rated something', german: 'etwas bewertet' },
  },
  lists: {
    ...reading,
    takes: { ...page, kind },
    done: { english: 'looked at playlists and collections', german: 'Listen angesehen' },
  },
  entries: {
    ...reading,
    needs: { listId: id },
    takes: page,
    done: { english: 'read a playlist', german: 'eine Wiedergabeliste gelesen' },
  },
  createList: {
    ...writing,
    needs: { kind, name },
    takes: { description, itemIds: ids },
    done: { english: 'made a list', german: 'eine Liste angelegt' },
  },
  changeList: {
    ...writing,
    needs: { listId: id },
    takes: {
      name,
      description,
      remove: ids,
      replace: ids,
      add: ids,
      at: { type: 'integer', minimum: 0, maximum: 100_000 },
    },
    done: { english: 'changed a list', german: 'eine Liste geändert' },
  },
  removeList: {
    ...writing,
    needs: { listId: id },
    done: { english: 'removed a list', german: 'eine Liste gelöscht' },
  },
} as const satisfies MethodRecords<ViewingService>;
