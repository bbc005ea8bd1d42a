import type { Identification, MediaTags } from '../../../plugin-api/index.ts';
import { episodeTitleOf, showEntities } from '../kinds/episode-entities.ts';
import { compact } from '../kinds/identify-context.ts';
import { readFilmName } from '../reading/film-name.ts';
import { nameValues } from './name-values.ts';
import { commonMetadata, entitiesFor } from './tag-metadata.ts';

/** Below it, the name of a film is not a title: `VTS_01_1`, `movie`. */
const leastConfidence = 0.3;

/**
 * A film: its name wins, since the title inside a video is often that of its release or of its
 * author. The tags fill gaps.
 */
export function taggedFilm(
  named: Identification,
  tags: MediaTags,
  { thisYear }: { readonly thisYear: number },
): Identification {
  const isNameless = (named.confidence ?? 0) < leastConfidence;
  const title = isNameless ? plainTitle(tags, thisYear) : undefined;
  return {
    ...named,
    title: title ?? named.title,
    metadata: compact({
      ...commonMetadata(tags, named.metadata),
      year: tags.year,
      ...named.metadata,
    }),
    entities: { ...named.entities, ...entitiesFor('genre', 'genre', tags.genres) },
  };
}

/** An episode: the numbers and the title of its name, the tags where it has none. */
export function taggedEpisode(
  named: Identification,
  tags: MediaTags,
  { thisYear }: { readonly thisYear: number },
): Identification {
  const fromName = nameValues(named);
  const isNumbered = ['episode', 'absoluteEpisode', 'airDate'].some((key) => key in named.metadata);
  const metadata = compact({
    ...commonMetadata(tags, named.metadata),
    series: tags.show,
    ...(isNumbered ? {} : { season: tags.season, episode: tags.episode }),
    ...named.metadata,
  });
  const { series, season } = metadata as { series?: string; season?: number };
  const isUntitled = named.title === episodeTitleOf(named.metadata);
  const title = isUntitled ? plainTitle(tags, thisYear) : undefined;
  return {
    ...named,
    title: title ?? (isUntitled ? (episodeTitleOf(metadata) ?? named.title) : named.title),
    metadata,
    entities: {
      ...named.entities,
      ...(series === undefined
        ? {}
        : showEntities(
            { series, year: fromName.number('year'), ids: named.entities?.['show']?.[0]?.ids },
            season,
          )),
      ...entitiesFor('genre', 'genre', tags.genres),
    },
  };
}

/** The embedded title, unless it is the name of a release. */
function plainTitle({ title }: MediaTags, thisYear: number): string | undefined {
  if (title === undefined || /\bs\d{1,2}[ .]?e\d|\b\d{1,2}x\d\d\b/i.test(title)) return undefined;
  return readFilmName(title, thisYear).isRelease ? undefined : title;
}
