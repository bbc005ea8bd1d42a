import type { BundleAsset, BundleEntity } from '../../../plugin-api/index.ts';
import { entity, picturesOf } from '../findings/finding.ts';
import type { Ids } from './nfo-ids.ts';

/** What is known of a show, a season, an artist or an album, from all files in its folder. */
export interface Described {
  /** Null when no document names it. */
  readonly name: string | null;
  /** Whether a document describes it, and not only a picture. */
  readonly isComplete: boolean;
  readonly ids: Ids;
  readonly metadata: Readonly<Record<string, unknown>>;
  readonly pictures: readonly BundleAsset[];
}

/** An entity with everything that is known of it; its pictures are in `metadata.assets`. */
export function describedEntity(
  type: string,
  name: string,
  { isComplete, ids, metadata, pictures }: Described,
  more: Readonly<Record<string, unknown>> = {},
): BundleEntity {
  const facts = { ...metadata, ...more, assets: picturesOf(pictures) };
  return entity(type, name, { ...(isComplete && { status: 'complete' }), ids, metadata: facts });
}
