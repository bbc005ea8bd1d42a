/**
 * The stage `full`: what a file says of itself, laid over or under what its name says. Only these two
 * are weighed here. Sidecars, other indexers and people come on top of the answer, each in the
 * pipeline's own order; of theirs only the names of what a work belongs to are taken over.
 */
import type { Identification, IndexFile, MediaTags } from '../../../plugin-api/index.ts';
import { withBetterSaid } from './better-said.ts';
import { saneTags } from './sane-tags.ts';
import { taggedAudiobook, taggedBook } from './tagged-book.ts';
import { taggedPhoto } from './tagged-photo.ts';
import { taggedTrack } from './tagged-track.ts';
import { taggedEpisode, taggedFilm } from './tagged-video.ts';

type Weigh = (named: Identification, tags: MediaTags, thisYear: number) => Identification;

const kinds: ReadonlyMap<string, Weigh> = new Map<string, Weigh>([
  ['movies', taggedFilm],
  ['tv', taggedEpisode],
  ['music', taggedTrack],
  ['audiobooks', taggedAudiobook],
  ['books', taggedBook],
  ['photos', taggedPhoto],
]);

/** What name and tags say together. Extras keep their name: they belong to a work, and are none. */
export function withTags(
  named: Identification,
  { tags = {}, known }: Pick<IndexFile, 'tags' | 'known'>,
  library: { readonly type: string; readonly thisYear: number },
): Identification {
  const weigh = kinds.get(library.type);
  const isPrimary = (named.classification ?? 'primary') === 'primary';
  if (weigh === undefined || !isPrimary) return named;
  const sane = saneTags(tags, library.thisYear);
  const weighed = withBetterSaid({ named, tags: sane }, known);
  return weigh(weighed.named, weighed.tags, library.thisYear);
}
