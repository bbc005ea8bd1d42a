import type { IndexFile, Identification, MediaTags } from '../../../plugin-api/index.ts';

/** The keys of metadata that name entities, with the tags that say the same. */
const naming: readonly (readonly [key: string, tags: readonly (keyof MediaTags)[]])[] = [
  ['series', ['show']],
  ['artist', ['artist', 'artists']],
  ['albumArtist', ['albumArtist', 'isCompilation']],
  ['album', ['album']],
  ['author', ['authors']],
  ['narrator', ['narrators']],
  ['bookSeries', ['series']],
];

/** A name and tags, without what somebody better knows. */
export interface Weighed {
  readonly named: Identification;
  readonly tags: MediaTags;
}

/**
 * Where a sidecar has said who or what a work belongs to, name and tags say so, too: else the work would
 * be listed under two spellings of one show or artist. Such a value is known by being another than
 * the name's.
 */
export function withBetterSaid(weighed: Weighed, known: IndexFile['known']): Weighed {
  if (known === undefined) return weighed;
  const { named, tags } = weighed;
  const better = naming.filter(([key]) => {
    const value = known.metadata[key];
    return typeof value === 'string' && value !== '' && value !== named.metadata[key];
  });
  if (better.length === 0) return weighed;
  const values = better.map(([key]) => [key, known.metadata[key]] as const);
  const silenced = new Set<string>(better.flatMap(([, list]) => list));
  const kept = Object.entries(tags).filter(([key]) => !silenced.has(key));
  return {
    named: { ...named, metadata: { ...named.metadata, ...Object.fromEntries(values) } },
    tags: Object.fromEntries(kept),
  };
}
