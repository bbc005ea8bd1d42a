import type { BundleAsset, BundleEntity, IdValue } from './bundle.ts';
import type { MediaTags } from './probe.ts';

/**
 * When an indexer is called. `name`: a file was just found, and only its name is known; the answer
 * must not wait for anything. `full`: the file was probed, its sidecars were read, and the answers of
 * earlier indexers are known.
 */
export type IndexStage = 'name' | 'full';

/** Input of an indexer: files of one library, in batches of at most 500. */
export interface IndexInput {
  readonly libraryId: string;
  readonly libraryType: string;
  /** `name` when absent. */
  readonly stage?: IndexStage;
  /** In the stage `full`: the languages that the library wants, as BCP 47 tags, best first. */
  readonly languages?: readonly string[];
  readonly files: readonly IndexFile[];
}

/** A file. `path` is relative to the library's root, with `/` between folders. */
export interface IndexFile {
  readonly path: string;
  /** Bytes. */
  readonly size: number;
  /** In the stage `full`: the tags of the file. */
  readonly tags?: MediaTags;
  /**
   * In the stage `full`, of a track whose tags name an album and not its artist: the tags of the other
   * such tracks of that album in its folder, at most 300. As soon as they show another album artist,
   * the track is asked about again.
   */
  readonly beside?: readonly MediaTags[];
  /** Seconds. */
  readonly duration?: number;
  /** In the stage `full`: what names, sidecars and earlier indexers gave. */
  readonly known?: {
    readonly title: string;
    readonly metadata: Readonly<Record<string, unknown>>;
    readonly ids: Readonly<Record<string, IdValue>>;
    /** Of an episode: ids of its show, from the name of its folder or a sidecar. */
    readonly showIds?: Readonly<Record<string, IdValue>>;
  };
  /** The candidate of this indexer that a person chose for the item; do not guess then. */
  readonly match?: { readonly id: string };
}

/** The answer for one file; `null` in its place means unknown. */
export interface Identification {
  /** Title of the item, as `Item.title`. */
  readonly title: string;
  /** Keys of `Item.metadata`. */
  readonly metadata: Readonly<Record<string, unknown>>;
  readonly classification?:
    | 'primary'
    | 'extra'
    | 'trailer'
    | 'deleted-scene'
    | 'behind-the-scenes'
    | 'companion';
  readonly edition?: string;
  readonly partNumber?: number;
  /** Entities by the role that links them to the item. */
  readonly entities?: Readonly<Record<string, readonly BundleEntity[]>>;
  /** How sure the indexer is, 0 to 1. */
  readonly confidence?: number;
  /** Pictures, by URLs that the server may fetch. */
  readonly assets?: readonly BundleAsset[];
  /**
   * The candidate that the indexer chose, as `indexer.search` names it. Unless a person chose it, a
   * match with a `confidence` below 0.6 is offered to people and not applied.
   */
  readonly match?: { readonly id: string };
  /**
   * Title and overview by language, as BCP 47 tags: those of `IndexInput.languages` that the
   * catalogue has, 10 at most. `title` and `metadata.overview` stay the texts in the best of them.
   * The server shows each profile the texts in its language; further languages are not kept.
   */
  readonly texts?: Readonly<
    Record<string, { readonly title?: string; readonly overview?: string }>
  >;
}

/** Answer of `indexer.index`: one entry per file, in the order of the input. */
export interface IndexResult {
  readonly results: readonly (Identification | null)[];
  /**
   * Indexes of files that could not be looked up now, because the source is unavailable or limits the
   * rate: their result is `null`, their known data stays, and they are sent again later.
   */
  readonly later?: readonly number[];
  /**
   * For each file what it may be, best first, where the indexer is not sure; at most 8 are kept. The
   * result of such a file is `null`: nothing is written to the item, and people are asked.
   */
  readonly candidates?: readonly (readonly IndexCandidate[])[];
}

/** A person's search for the right match of an item. */
export interface IndexSearchInput {
  readonly libraryType: string;
  /** The languages that the library of the item wants, as BCP 47 tags, best first. */
  readonly languages?: readonly string[];
  /** The search text: a title, an artist, an author. */
  readonly query: string;
  readonly year?: number;
  /** Known keys of `Item.metadata`: `season`, `episode`, `artist`, `album`, `author`. */
  readonly metadata?: Readonly<Record<string, unknown>>;
  /** The most candidates, 1 to 50. */
  readonly limit: number;
}

/** The candidates for a match, best first. */
export interface IndexSearchResult {
  readonly candidates: readonly IndexCandidate[];
}

/** One candidate for an item. */
export interface IndexCandidate {
  /** The indexer's id of the candidate, at most 200 characters. */
  readonly id: string;
  readonly title: string;
  readonly year?: number;
  readonly overview?: string;
  /** A page about it for people. */
  readonly url?: string;
  readonly imageUrl?: string;
  /** How well it fits, 0 to 1. */
  readonly confidence: number;
}
