/** The item on its way through the pipeline, as hooks see it. Extensions have no dot, sizes are bytes. */
export interface Bundle {
  readonly files: {
    readonly media: readonly BundleMediaFile[];
    readonly auxiliary: readonly BundleAuxiliaryFile[];
  };
  /** Metadata by key, as in `Item.metadata`; `title` is among them. */
  readonly fields: Readonly<Record<string, unknown>>;
  /** Identifiers by provider: `{"imdb": {"id": "tt0133093"}}`. */
  readonly ids: Readonly<Record<string, IdValue>>;
  readonly assets: readonly BundleAsset[];
  readonly subtitles: readonly BundleSubtitle[];
  /** Entities by the role that links them to the item: `{"artist": [{"name": "Nina Simone", …}]}`. */
  readonly entities: Readonly<Record<string, readonly BundleEntity[]>>;
  readonly chapters?: readonly BundleChapter[];
}

/** One playable file. */
export interface BundleMediaFile {
  readonly id?: string;
  readonly uri: string;
  readonly path: string;
  readonly filename: string;
  readonly extension: string;
  readonly size: number;
  readonly mimeType?: string;
  readonly modifiedAt?: string;
  readonly type: string;
  readonly edition?: string;
  readonly partNumber?: number;
  readonly description?: string;
  readonly tags?: Readonly<Record<string, unknown>>;
  readonly fileInfo?: Readonly<Record<string, unknown>>;
  /** Where the file is on the local disk; only when a subscriber of the chain requires it. */
  readonly localPath?: string;
}

/** A file that belongs to the item and is not played: a subtitle, an image, an NFO. */
export interface BundleAuxiliaryFile {
  readonly uri: string;
  readonly path: string;
  readonly extension: string;
  readonly sourcePlugin: string;
  /** Bytes, where it is known. */
  readonly size?: number;
  /** ISO 8601, where it is known. */
  readonly modifiedAt?: string;
  /**
   * It is named after none of the item's media, and there is media of other items in its folder too:
   * `poster.jpg` in a folder of many films is nobody's own. The server tells it; a delta has none.
   */
  readonly isShared?: boolean;
}

/**
 * A picture of the item. `uri` is taken if it lies below a root of the item's library and within the
 * plugin's grant, or in a scheme that the plugin serves, or at an `https:` address on a host of its `net`
 * grant; the same holds for subtitles, auxiliary files and pictures of entities. `source` is set by the
 * server to the plugin that gave it.
 */
export interface BundleAsset {
  readonly type: string;
  readonly uri: string;
  readonly source: string;
  readonly mimeType?: string;
  readonly mediaFileId?: string;
  readonly aspect?: 'square' | 'portrait' | 'landscape';
}

/** A subtitle track, beside the file or in it. Its language is BCP 47. */
export interface BundleSubtitle {
  readonly type: 'external' | 'embedded';
  readonly language?: string;
  readonly format: string;
  readonly uri?: string;
  readonly streamIndex?: number;
  readonly source: string;
  readonly mediaFileUri?: string;
  /** What its author calls it: `Commentary`, `Signs & Songs`. */
  readonly title?: string;
  readonly isDefault?: boolean;
  /** Only what is needed by someone who understands the film's own language. */
  readonly isForced?: boolean;
  /** With sounds in words (SDH, CC). */
  readonly isHearingImpaired?: boolean;
}

/** `true` says that the provider knows the item, without an id of its own. Confidence is 0 to 1. */
export type IdValue =
  true | { readonly id: string; readonly confidence?: number; readonly url?: string };

/**
 * A person, genre, artist, album, show, season, series or studio. Those with an id of a provider in
 * common are one, whatever their names; so are those of one name and type that no id tells apart,
 * albums of one artist, seasons of one show, and shows whose `metadata.year` is the same or unknown.
 * A name is the whole name: the server takes `A feat. B` apart itself.
 *
 * `metadata` holds what is known of the entity, and beside it, under the keys `character`,
 * `characters`, `job`, `department`, `order`, `instrument`, `credit` and `isGuest`, what it does in
 * this item (`LinkedEntity.linkMetadata`). `metadata.assets` has its pictures by type, each an address
 * or `{uri, aspect}`; `metadata.imageUrl` is the one picture of a person. `status` is `complete` when
 * the source knows the entity itself, and not only its name.
 */
export interface BundleEntity {
  readonly name: string;
  readonly type?: string;
  readonly status: string;
  readonly ids?: Readonly<Record<string, IdValue>>;
  readonly metadata?: Readonly<Record<string, unknown>>;
  readonly source: string;
}

/** A stretch of a file; times are seconds from its start. */
export interface BundleChapter {
  readonly mediaFileUri?: string;
  readonly startTime: number;
  readonly endTime?: number;
  readonly title?: string;
  readonly role?: 'intro' | 'credits' | 'chapter' | 'scene';
  readonly metadata?: Readonly<Record<string, unknown>>;
}

/**
 * What a hook gives back: only what it adds. Assets, subtitles, entities and chapters are appended;
 * `fields` and `ids` are merged key by key, the later subscriber wins.
 *
 * A field `<the plugin's own id>.locked` that is `true` locks the item: indexers that may reach the
 * network are not asked about it, and what they said before goes, unless a person chose a match.
 * `<the plugin's own id>.lockedFields` locks some of it: a list of paths such as `fields.overview`,
 * `ids.imdb`, `entities.actor`, `assets.poster` and `assets`, of which nothing that those indexers say is
 * taken. In the `metadata` of a show or another entity the two say the same of that entity, towards all
 * other plugins; paths are `fields` and the key there, and `fields.title` for its name.
 */
export interface BundleDelta {
  readonly files?: { readonly auxiliary?: readonly BundleAuxiliaryFile[] };
  readonly fields?: Readonly<Record<string, unknown>>;
  readonly ids?: Readonly<Record<string, IdValue>>;
  readonly assets?: readonly BundleAsset[];
  readonly subtitles?: readonly BundleSubtitle[];
  readonly entities?: Readonly<Record<string, readonly BundleEntity[]>>;
  readonly chapters?: readonly BundleChapter[];
}
