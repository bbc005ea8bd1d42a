import type { MarketplaceIndex } from '../../../kernel/run/packages/index.ts';
import type { ShownSource } from '../../contract/resources/plugins/marketplace.ts';

/** A marketplace source as stored. */
export interface Source {
  readonly id: string;
  /** Of `index.json`. */
  readonly url: string;
  /** Other addresses of the same index, tried in this order when the first fails. */
  readonly mirrors: readonly string[];
  /** Pinned when the source was added; changes only through the source's own rotations. */
  readonly publisherKey: string;
  /** The last valid index, as text. */
  readonly indexText: string;
  readonly etag: string | null;
  readonly fetchedAt: string;
  /** Why the last download failed; `null` = it did not. */
  readonly error: string | null;
}

/** A source with what it offers. */
export interface OpenSource extends Source {
  readonly index: MarketplaceIndex;
}

/**
 * A source without a usable index: it has no offers, and its whole index is downloaded next time.
 */
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
