/**
 * The stage `full`: what a file says of itself, laid over or under what its name says. Only these two
 * are weighed here. Sidecars, other indexers and people come on top of the answer, each in the
 * pipeline's own order, so nothing of theirs is repeated, and a tag that changes is never outlived by
 * its older self.
 */
import type { Identification, MediaTags } from '../../../plugin-api/index.ts';
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
  tags: MediaTags | undefined,
  library: { readonly type: string; readonly thisYear: number },
): Identification {
  const weigh = kinds.get(library.type);
  const isPrimary = (named.classification ?? 'primary') === 'primary';
  if (tags === undefined || weigh === undefined || !isPrimary) return named;
  return weigh(named, saneTags(tags, library.thisYear), library.thisYear);
}
