/** The item in the pipeline, as hooks see it. Extensions have no dot, sizes are bytes. */
export interface Bundle {
  readonly files: {
    readonly media: readonly BundleMediaFile[];
    readonly auxiliary: readonly BundleAuxiliaryFile[];
  };
  /** Metadata by key, as in `Item.metadata`, including `title`. */
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
  /** The path on the local disk; only when a subscriber of the chain requires it. */
  readonly localPath?: string;
}

/** A file that belongs to the item and is not played: a subtitle, an image, an NFO. */
export interface BundleAuxiliaryFile {
  readonly uri: string;
  readonly path: string;
  readonly extension: string;
  readonly sourcePlugin: string;
  /** Bytes, if known. */
  readonly size?: number;
  /** ISO 8601, if known. */
  readonly modifiedAt?: string;
  /**
   * Its name matches none of the item's media, and its folder has media of other items too:
   * `poster.jpg` in a folder of many films. The server sets it; a delta must not.
   */
  readonly isShared?: boolean;
}

/**
 * A picture of the item. `uri` is accepted if it is below a root of the item's library and within the
 * plugin's grant, or in a scheme that the plugin serves, or an `https:` address on a host of its
 * `net` grant. The same rule applies to subtitles, auxiliary files and pictures of entities. The
 * server sets `source` to the plugin that gave it.
 */
export interface BundleAsset {
  readonly type: string;
  readonly uri: string;
  readonly source: string;
  readonly mimeType?: string;
  readonly mediaFileId?: string;
  readonly aspect?: 'square' | 'portrait' | 'landscape';
}

/**
 * Subtitles or lyrics, beside the file or in it. Its language is BCP 47. An `external` one has either
 * a `uri` or a `text`. One whose URI is in a scheme that the plugin serves or at an `https:` address,
 * or that is a `text`, is given by the plugin: its format is one of `srt ass ssa vtt ttml smi sub sbv
 * lrc`, an item has at most 20 of them, and each has at most 4 MiB.
 */
export interface BundleSubtitle {
  readonly type: 'external' | 'embedded';
  readonly language?: string;
  /** `srt`, `ass`, `vtt`, …; `lrc` is lyrics. */
  readonly format: string;
  /** An address is fetched when a viewer first asks for the track, and the reply is kept. */
  readonly uri?: string;
  /**
   * The track itself, instead of a URI; at most 1,048,576 characters. The server keeps it with the
   * item.
   */
  readonly text?: string;
  readonly streamIndex?: number;
  readonly source: string;
  /** One of `files.media`. Without it an external track belongs to all versions of the item. */
  readonly mediaFileUri?: string;
  /** Its author's title: `Commentary`, `Signs & Songs`. */
  readonly title?: string;
  readonly isDefault?: boolean;
  /** Only the parts that a viewer of the film's own language needs. */
  readonly isForced?: boolean;
  /** With sounds as text (SDH, CC). */
  readonly isHearingImpaired?: boolean;
}

/** `true` means that the provider knows the item, without an id of its own. Confidence is 0 to 1. */
export type IdValue =
  | true
  | { readonly id: string; readonly confidence?: number; readonly url?: string };

/**
 * A person, genre, artist, album, show, season, series or studio. Entities that share an id of a
 * provider are one entity, even with different names. So are entities of the same name and type whose
 * ids do not differ: albums of one artist, seasons of one show, and shows whose `metadata.year` is
 * the same or unknown. A name is the whole name: the server splits `A feat. B` itself.
 *
 * `metadata` describes the entity. Its keys `character`, `characters`, `job`, `department`, `order`,
 * `instrument`, `credit` and `isGuest` describe its part in this item (`LinkedEntity.linkMetadata`).
 * `metadata.assets` has its pictures by type, each an address or `{uri, aspect}`; `metadata.imageUrl`
 * is the one picture of a person. `status` is `complete` when the source knows the entity itself, and
 * not only its name; else it is `pending`, as it is without a `status`.
 */
export interface BundleEntity {
  readonly name: string;
  readonly type?: string;
  readonly status?: string;
  readonly ids?: Readonly<Record<string, IdValue>>;
  readonly metadata?: Readonly<Record<string, unknown>>;
  /**
   * Its name and its overview by language, as BCP 47 tags; only an indexer gives them. They are kept
   * as `Identification.texts` are.
   */
  readonly texts?: Readonly<
    Record<string, { readonly title?: string; readonly overview?: string }>
  >;
  readonly source: string;
}

/** A part of a file; times are seconds from its start. */
export interface BundleChapter {
  readonly mediaFileUri?: string;
  readonly startTime: number;
  readonly endTime?: number;
  readonly title?: string;
  readonly role?: 'intro' | 'credits' | 'recap' | 'chapter' | 'scene';
  readonly metadata?: Readonly<Record<string, unknown>>;
}

/**
 * The answer of a hook: only what it adds. Assets, subtitles, entities and chapters are appended;
 * `fields` and `ids` are merged key by key, and the later subscriber wins.
 *
 * A field `<the plugin's own id>.locked` that is `true` locks the item: indexers that may reach the
 * network are not asked about it, and their earlier answers are removed, unless a person chose a
 * match. `<the plugin's own id>.lockedFields` locks parts of it: a list of paths such as
 * `fields.overview`, `ids.imdb`, `entities.actor`, `assets.poster` and `assets`, for which answers of
 * those indexers are ignored. In the `metadata` of a show or another entity, the two fields lock that
 * entity against all other plugins; paths are `fields` and the key there, and `fields.title` for its
 * name.
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
