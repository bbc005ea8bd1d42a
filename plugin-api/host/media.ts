import type { MethodRecords } from '../server/method-record.ts';

/** How far a profile is with an item. */
export type MediaWatched = 'unwatched' | 'started' | 'watched';

/**
 * Which items: all filters hold at once. They are those of `GET /api/items`, with the same rules. A
 * range is a text: `2001`, `2001..`, `..2009` or `2001..2009`, ends included.
 */
export interface MediaFilters {
  readonly libraryId?: string;
  /** Type of the libraries, such as `movies`. */
  readonly type?: string;
  /** The name of a genre. */
  readonly genre?: string;
  /** Items linked to this entity, in any role. */
  readonly entityId?: string;
  /** Range of years. */
  readonly year?: string;
  /** Of the viewer's profile; only for a viewer. */
  readonly watched?: MediaWatched;
  /** Of the viewer's profile; only for a viewer. */
  readonly favourite?: boolean;
  /** Range of `metadata.rating`, 0 to 10. */
  readonly rating?: string;
  /** Range of the profile's own rating, 0.5 to 5; only for a viewer. */
  readonly myRating?: string;
  readonly resolution?: 'sd' | 'hd' | '4k';
  readonly hdr?: boolean;
  /** A language of the sound (BCP 47). */
  readonly language?: string;
  /** A language of the subtitles. */
  readonly subtitle?: string;
  /** A collection of the viewer's profile; only for a viewer. */
  readonly collectionId?: string;
  /** A date or a time (ISO 8601): only items that were added after it. */
  readonly addedAfter?: string;
}

/** Which items to list, in which order and shape. */
export interface MediaQuery extends MediaFilters {
  /** `title` when absent. `lastPlayedAt` and `playCount` are only for a viewer. */
  readonly sortBy?:
    | 'title'
    | 'addedAt'
    | 'releasedAt'
    | 'year'
    | 'rating'
    | 'duration'
    | 'lastPlayedAt'
    | 'playCount'
    | 'random';
  /** `asc` when absent. */
  readonly sortOrder?: 'asc' | 'desc';
  /** For `random`: the same seed gives the same order. At most 100 characters. */
  readonly seed?: string;
  /** Begins a list by title at this letter. */
  readonly letter?: string;
  /** `full` when absent. */
  readonly fields?: 'tile' | 'full';
  /** Whether to count all items of the list. */
  readonly includeTotal?: boolean;
  /** 1 to 500; 50 when absent. */
  readonly limit?: number;
  /** `nextCursor` of the page before. */
  readonly cursor?: string;
}

/** What a grid shows of an item, ready to show. */
export interface MediaTile {
  readonly id: string;
  /** `film episode track audiobook book photo`; else the type of the library. */
  readonly type: string;
  readonly title: string;
  readonly subtitle: string | null;
  readonly year: number | null;
  /** `id`: the picture is at `/api/assets/<id>`. */
  readonly picture: {
    readonly id: string;
    /** `portrait landscape square`. */
    readonly aspect: string | null;
    /** `#rrggbb`. */
    readonly color: string | null;
    /** Base64. */
    readonly thumbhash: string | null;
  } | null;
  /** How much of it the profile has played, 0 to 1. */
  readonly progress: number;
  readonly watched: boolean;
  readonly favourite: boolean;
  /** Such as `4K` and `HDR`. */
  readonly badges: readonly string[];
}

/** A file of an item. `uri` is the address that serves the file, never a path. */
export interface MediaFile {
  readonly id: string;
  readonly uri: string;
  readonly filename: string;
  readonly extension: string;
  readonly mimeType: string;
  readonly mediaKind: 'video' | 'audio' | 'image' | 'text';
  /** `primary`, `extra` and others. */
  readonly classification: string;
  readonly edition: string | null;
  readonly partNumber: number | null;
  /** Bytes. */
  readonly size: number;
  /** Seconds. */
  readonly duration: number | null;
  readonly fileInfo: Readonly<Record<string, unknown>>;
}

/** An item, as `GET /api/items` shows it; further fields of that reply are there too. */
export interface MediaItem {
  readonly id: string;
  readonly libraryId: string;
  readonly libraryName: string;
  readonly title: string;
  readonly certification: string | null;
  readonly metadata: Readonly<Record<string, unknown>>;
  /** ISO 8601. */
  readonly addedAt: string;
  readonly updatedAt: string;
  readonly files: readonly MediaFile[];
  /** Addresses of pictures, by type: `/api/assets/<id>`. */
  readonly assets: Readonly<Record<string, string>>;
  readonly linkedEntities: readonly {
    readonly id: string;
    readonly type: string;
    readonly name: string;
    readonly role: string;
  }[];
  /** Of the viewer's profile; nothing was played when there is no viewer. Seconds; for books pages. */
  readonly playback: {
    readonly completed: boolean;
    readonly position: number;
    readonly duration: number;
  };
  readonly favourite: boolean;
  /** 0.5 to 5. */
  readonly myRating: number | null;
  readonly playCount: number;
  /** ISO 8601. */
  readonly lastPlayedAt: string | null;
}

/** One page of items. */
export interface MediaPage<Shape = MediaItem> {
  readonly items: readonly Shape[];
  readonly nextCursor: string | null;
  /**
   * The number of all items of the list, with `includeTotal`; `null` when the grant is limited to
   * folders, since they cannot be counted.
   */
  readonly total?: number | null;
}

/** How many items there are. */
export interface MediaCounts {
  /** `null` when the grant is limited to folders. */
  readonly total: number | null;
  /** By library, those without such items left out; `null` for one that is granted by folders. */
  readonly libraries: readonly {
    readonly id: string;
    readonly name: string;
    readonly type: string;
    readonly items: number | null;
  }[];
}

/** What a search finds, best first. `confidence` is 0 to 1. */
export interface MediaFound {
  readonly items: readonly (MediaItem & { readonly confidence: number })[];
  /** All matching items, not only those given. */
  readonly itemsTotal: number;
  readonly entities: readonly {
    readonly id: string;
    readonly type: string;
    readonly name: string;
    readonly confidence: number;
  }[];
}

/**
 * `host.media`: the items as clients see them, with the filters and orders of `GET /api/items`. In a
 * view, an action and a search it gives what both the grant and the viewer allow, with the viewer's
 * marks. In events, hooks, jobs and schedules it gives what the grant allows. Use `host.library` to
 * follow all changes, as an index does; use `host.media` to ask and to show.
 *
 * No answer holds a path. Permission: `library: read`. Errors: `not_found`, `permission_denied`,
 * `invalid_argument` (a filter, or a cursor of another list), `service_unavailable` (no search).
 *
 * @example
 * const { items } = await host.media.list({ type: 'movies', sortBy: 'addedAt', sortOrder: 'desc',
 *   fields: 'tile', limit: 20 });
 */
export interface MediaService {
  /**
   * One page. It may be shorter than `limit` before the end when the grant is limited to folders:
   * only `nextCursor: null` means the end.
   */
  readonly list: {
    (input: MediaQuery & { readonly fields: 'tile' }): Promise<MediaPage<MediaTile>>;
    (input: MediaQuery & { readonly fields?: 'full' }): Promise<MediaPage>;
  };
  /** One item. */
  readonly get: (input: { readonly itemId: string }) => Promise<MediaItem>;
  /** The number of items, in all and by library. */
  readonly counts: (input: MediaFilters) => Promise<MediaCounts>;
  /** Words of titles and names; `limit` is 20 when absent, and 200 at most. */
  readonly search: (input: { readonly q: string; readonly limit?: number }) => Promise<MediaFound>;
}

const reading = {
  permission: { name: 'library', level: 'read' },
  scope: 'filtered',
  viewer: 'filtered',
  forProfiles: true,
} as const;
const id = { type: 'string', minLength: 1, maxLength: 100 } as const;
const word = { type: 'string', minLength: 1, maxLength: 300 } as const;
const shortWord = { ...word, maxLength: 64 } as const;
const range = { ...word, maxLength: 30 } as const;
const filters = {
  libraryId: id,
  type: shortWord,
  genre: word,
  entityId: id,
  year: range,
  watched: { enum: ['unwatched', 'started', 'watched'] satisfies readonly MediaWatched[] },
  favourite: { type: 'boolean' },
  rating: range,
  myRating: range,
  resolution: { enum: ['sd', 'hd', '4k'] satisfies readonly MediaFilters['resolution'][] },
  hdr: { type: 'boolean' },
  language: shortWord,
  subtitle: shortWord,
  collectionId: id,
  addedAfter: { ...word, maxLength: 40 },
} as const;
const sorts = [
  ...(['title', 'addedAt', 'releasedAt', 'year', 'rating', 'duration'] as const),
  ...(['lastPlayedAt', 'playCount', 'random'] as const),
] satisfies readonly MediaQuery['sortBy'][];

/** What the server knows of each method. @internal */
export const mediaMethods = {
  list: {
    ...reading,
    takes: {
      ...filters,
      sortBy: { enum: sorts },
      sortOrder: { enum: ['asc', 'desc'] },
      seed: { type: 'string', minLength: 1, maxLength: 100 },
      letter: { type: 'string', minLength: 1, maxLength: 8 },
      fields: { enum: ['tile', 'full'] },
      includeTotal: { type: 'boolean' },
      limit: { type: 'integer', minimum: 1, maximum: 500 },
      cursor: { type: 'string', minLength: 1, maxLength: 4000 },
    },
    done: { english: 'listed titles', german: 'Titel aufgelistet' },
  },
  get: {
    ...reading,
    scope: 'item',
    viewer: 'item',
    needs: { itemId: id },
    done: { english: 'looked at a title', german: 'einen Titel angesehen' },
  },
  counts: {
    ...reading,
    takes: filters,
    done: { english: 'counted titles', german: 'Titel gezählt' },
  },
  search: {
    ...reading,
    // The search plugin answers, which may itself call the host.
    isElsewhere: true,
    needs: { q: { type: 'string', minLength: 1, maxLength: 500 } },
    takes: { limit: { type: 'integer', minimum: 1 } },
    done: { english: 'searched for titles', german: 'nach Titeln gesucht' },
  },
} as const satisfies MethodRecords<MediaService>;
