import type { IndexFile, Identification, MediaTags } from '../../../plugin-api/index.ts';

/** The metadata keys that name entities, with the tags of the same meaning. */
const naming: readonly (readonly [key: string, tags: readonly (keyof MediaTags)[]])[] = [
  ['series', ['show']],
  ['artist', ['artist', 'artists']],
  ['albumArtist', ['albumArtist', 'albumArtists', 'isCompilation']],
  ['album', ['album']],
  ['author', ['authors']],
  ['narrator', ['narrators']],
  ['bookSeries', ['series']],
];

/** Name and tags, without the values that a better source replaces. */
export interface NameAndTags {
  readonly named: Identification;
  readonly tags: MediaTags;
}

/**
 * If a sidecar has named the show or the artist, name and tags take over that spelling: else the
 * work would be listed under two spellings. Such a value is recognized because it differs from the
 * name's.
 */
export function withSidecarNames(nameAndTags: NameAndTags, known: IndexFile['known']): NameAndTags {
  if (known === undefined) return nameAndTags;
  const { named, tags } = nameAndTags;
  const better = naming.filter(([key]) => {
    const value = known.metadata[key];
    return typeof value === 'string' && value !== '' && value !== named.metadata[key];
  });
  if (better.length === 0) return nameAndTags;
  const values = better.map(([key]) => [key, known.metadata[key]] as const);
  const silenced = new Set<string>(better.flatMap(([, list]) => list));
  const kept = Object.entries(tags).filter(([key]) => !silenced.has(key));
  return {
    named: { ...named, metadata: { ...named.metadata, ...Object.fromEntries(values) } },
    tags: Object.fromEntries(kept),
  };
}
