import type { MarketplaceIndex } from '../../kernel/index.ts';

/** A marketplace source as it is kept. */
export interface Source {
  readonly id: string;
  /** Of `index.json`. */
  readonly url: string;
  /** Other addresses of the same index, asked in this order when the first does not answer. */
  readonly mirrors: readonly string[];
  /** Pinned when the source was added; follows the source's own rotations alone. */
  readonly publisherKey: string;
  /** The last index that was good, as text. */
  readonly indexText: string;
  readonly etag: string | null;
  readonly fetchedAt: string;
  /** Why the last fetch failed; `null` = it did not. */
  readonly error: string | null;
}

/** A source with what it offers. */
export interface OpenSource extends Source {
  readonly index: MarketplaceIndex;
}

/** A source as admins see it. */
export interface ShownSource {
  readonly id: string;
  readonly name: string;
  readonly url: string;
  readonly mirrors: readonly string[];
  readonly publisherKey: string;
  readonly pluginCount: number;
  /** When the source made its index. */
  readonly updatedAt: string;
  /** Until when something is installed from it; its publisher signs that. */
  readonly expiresAt: string;
  readonly isExpired: boolean;
  /** Of the index; it only grows. */
  readonly sequence: number;
  readonly fetchedAt: string;
  readonly error: string | null;
}

/** A source of which nothing is known that can be used: it offers nothing, and is asked for everything. */
export const withoutIndex = (source: Source, error: string): OpenSource => ({
  ...source,
  etag: null,
  error,
  index: {
    name: source.url,
    indexId: '',
    sequence: 0,
    updatedAt: never,
    expiresAt: never,
    plugins: [],
    publisherKey: source.publisherKey,
    signature: '',
  },
});

const never = new Date(0).toISOString();

export const shownSource = ({ index, ...source }: OpenSource, isExpired: boolean): ShownSource => ({
  id: source.id,
  name: index.name,
  url: source.url,
  mirrors: source.mirrors,
  publisherKey: source.publisherKey,
  pluginCount: index.plugins.length,
  updatedAt: index.updatedAt,
  expiresAt: index.expiresAt,
  isExpired,
  sequence: index.sequence,
  fetchedAt: source.fetchedAt,
  error: source.error,
});
