/**
 * The stage `full`: merges the tags of a file with its name. Only these two are compared here.
 * Sidecars, other indexers and users win over the answer, in the order of the pipeline; of their
 * values only the names of shows, artists and the like are taken over.
 */
import type { Identification, IndexFile, MediaTags } from '../../../plugin-api/index.ts';
import { withSidecarNames } from './sidecar-names.ts';
import { cleanTags } from './clean-tags.ts';
import { taggedAudiobook, taggedBook } from './tagged-book.ts';
import { taggedTrack } from './tagged-track.ts';
import { taggedEpisode, taggedFilm } from './tagged-video.ts';
import { nameValues } from './name-values.ts';
import { compact } from '../kinds/identify-context.ts';
import { commonMetadata } from './tag-metadata.ts';

type Weigh = (
  named: Identification,
  tags: MediaTags,
  around: { readonly thisYear: number; readonly beside: readonly MediaTags[] },
) => Identification;

const kinds: ReadonlyMap<string, Weigh> = new Map<string, Weigh>([
  ['movies', taggedFilm],
  ['tv', taggedEpisode],
  ['music', taggedTrack],
  ['audiobooks', taggedAudiobook],
  ['books', taggedBook],
  ['photos', taggedPhoto],
]);

/** The merged result. Extras keep their name: they belong to a work and are not one. */
export function withTags(
  named: Identification,
  { tags = {}, known, beside = [] }: Pick<IndexFile, 'tags' | 'known' | 'beside'>,
  library: { readonly type: string; readonly thisYear: number },
): Identification {
  const weigh = kinds.get(library.type);
  const isPrimary = (named.classification ?? 'primary') === 'primary';
  if (weigh === undefined || !isPrimary) return named;
  const clean = cleanTags(tags, library);
  const nameAndTags = withSidecarNames({ named, tags: clean }, known);
  const around = {
    thisYear: library.thisYear,
    beside: beside.map((one) => cleanTags(one, library)),
  };
  return weigh(nameAndTags.named, nameAndTags.tags, around);
}

/** A photo: when, where and with what it was taken; its name stays its title. */
function taggedPhoto(named: Identification, tags: MediaTags): Identification {
  const year = tags.year ?? nameValues(named).number('year');
  const { takenAt, camera, lens, latitude, longitude } = tags;
  return {
    ...named,
    metadata: {
      ...named.metadata,
      ...commonMetadata(tags, named.metadata),
      ...(year === undefined ? {} : { year }),
      ...compact({ takenAt, camera, lens, latitude, longitude }),
    },
  };
}
