/** Genres, as people who write for MusicBrainz choose them. */
import type { BundleEntity, Identification } from '../../plugin-api/index.ts';
import { numberOf, partOf, partsOf, textOf, type Part } from '../catalogue-lookup/values.ts';
import { source } from './catalogue.ts';

const mostGenres = 5;

/** The genres that most people chose: of the album, else of the release or the recording. */
export function genresOf(release: Part): NonNullable<Identification['entities']> {
  const all = [partOf(release['release-group'])['genres'], release['genres']].map(partsOf);
  const genres = all
    .find((list) => list.length > 0)
    ?.toSorted((one, other) => (numberOf(other['count']) ?? 0) - (numberOf(one['count']) ?? 0))
    .flatMap(({ name }) => textOf(name) ?? [])
    .slice(0, mostGenres)
    .map((name) => entityOf(`${name.charAt(0).toUpperCase()}${name.slice(1)}`));
  return genres === undefined || genres.length === 0 ? {} : { genre: genres };
}

const entityOf = (name: string): BundleEntity => ({
  name,
  type: 'genre',
  status: 'complete',
  source,
});
