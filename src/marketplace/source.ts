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
  readonly fetchedAt: string;
  readonly error: string | null;
}

export const shownSource = ({ index, ...source }: OpenSource): ShownSource => ({
  id: source.id,
  name: index.name,
  url: source.url,
  mirrors: source.mirrors,
  publisherKey: source.publisherKey,
  pluginCount: index.plugins.length,
  updatedAt: index.updatedAt,
  fetchedAt: source.fetchedAt,
  error: source.error,
});
