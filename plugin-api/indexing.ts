import type { BundleAsset, BundleEntity, IdValue } from './bundle.ts';
import type { MediaTags } from './probe.ts';

/**
 * When an indexer is asked. `name`: a file was just found, and only its name is known; the answer
 * must not wait for anything. `full`: the file was probed, its sidecars were read, and what earlier
 * indexers made of it is known.
 */
export type IndexStage = 'name' | 'full';

/** What an indexer is asked: files of one library, in batches of at most 500. */
export interface IndexInput {
  readonly libraryId: string;
  readonly libraryType: string;
  /** `name` when absent. */
  readonly stage?: IndexStage;
  readonly files: readonly IndexFile[];
}

/** A file. `path` is relative to the library's root, with `/` between folders. */
export interface IndexFile {
  readonly path: string;
  /** Bytes. */
  readonly size: number;
  /** In the stage `full`: what the file says of itself. */
  readonly tags?: MediaTags;
  /** Seconds. */
  readonly duration?: number;
  /** In the stage `full`: what is known so far, from names, sidecars and earlier indexers. */
  readonly known?: {
    readonly title: string;
    readonly metadata: Readonly<Record<string, unknown>>;
    readonly ids: Readonly<Record<string, IdValue>>;
  };
  /** What a person chose for this item among the indexer's own candidates: no guessing then. */
  readonly match?: { readonly id: string };
}

/** What an indexer makes of one file; `null` in its place means that it cannot tell. */
export interface Identification {
  /** Title of the item, as `Item.title`. */
  readonly title: string;
  /** Keys of `Item.metadata`. */
  readonly metadata: Readonly<Record<string, unknown>>;
  readonly classification?:
    'primary' | 'extra' | 'trailer' | 'deleted-scene' | 'behind-the-scenes' | 'companion';
  readonly edition?: string;
  readonly partNumber?: number;
  /** Entities by the role that links them to the item. */
  readonly entities?: Readonly<Record<string, readonly BundleEntity[]>>;
  /** How sure the indexer is, 0 to 1. */
  readonly confidence?: number;
  /** Pictures, by URLs that the server may fetch. */
  readonly assets?: readonly BundleAsset[];
  /**
   * Which of its candidates the indexer took, as `indexer.search` names it. Unless a person chose
   * it, a match with a `confidence` below 0.6 is offered to people and not applied.
   */
  readonly match?: { readonly id: string };
}

/** Answer of `indexer.index`: one entry per file, in the order of the question. */
export interface IndexResult {
  readonly results: readonly (Identification | null)[];
  /**
   * Places of files that could not be asked about now, because the source is away or had to be
   * spared: their result is `null`, nothing of what is known of them is lost, and they are asked
   * about again later.
   */
  readonly later?: readonly number[];
}

/** A question of a person who looks for the right match of an item. */
export interface IndexSearchInput {
  readonly libraryType: string;
  /** What to look for: a title, an artist, an author. */
  readonly query: string;
  readonly year?: number;
  /** Keys of `Item.metadata` that are known: `season`, `episode`, `artist`, `album`, `author`. */
  readonly metadata?: Readonly<Record<string, unknown>>;
  /** How many candidates at most, 1 to 50. */
  readonly limit: number;
}

/** What an indexer offers for a match, best first. */
export interface IndexSearchResult {
  readonly candidates: readonly IndexCandidate[];
}

/** One thing that an item may be. */
export interface IndexCandidate {
  /** The indexer's own name of it, at most 200 characters. */
  readonly id: string;
  readonly title: string;
  readonly year?: number;
  readonly overview?: string;
  /** Where people can read about it. */
  readonly url?: string;
  readonly imageUrl?: string;
  /** How well it fits, 0 to 1. */
  readonly confidence: number;
}
