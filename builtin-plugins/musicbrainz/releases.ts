/** Releases in lists: many of them are one album. */
import type { ListedEntry } from '../catalogue-lookup/lookup.ts';
import type { Question } from '../catalogue-lookup/score.ts';
import { foldTitle } from '../catalogue-lookup/titles.ts';
import type { Track } from '../catalogue-lookup/track-list.ts';
import {
  numberOf,
  partOf,
  partsOf,
  present,
  textOf,
  yearOf,
  type Part,
} from '../catalogue-lookup/values.ts';
import { mbidOf } from './catalogue.ts';
import { artistsOf, phraseOf } from './credits.ts';

/** One entry for each album, by the release that fits the files best. Copies are left out. */
export function albumsIn(releases: readonly Part[], question: Question): readonly ListedEntry[] {
  const groups = Map.groupBy(withoutCopies(releases), (one) => groupOf(one) ?? textOf(one['id']));
  return [...groups.values()].flatMap((group) => {
    const ranked = group.toSorted((one, other) => fitOf(other, question) - fitOf(one, question));
    const [best] = ranked;
    if (best === undefined || mbidOf(best['id']) === undefined) return [];
    const asked = question.ids?.['releaseGroup'];
    const isAsked = asked !== undefined && groupOf(best) === asked;
    const year = nearestYear(group, question.year);
    return [
      {
        ...listedRelease(best),
        ...present({ year, ids: isAsked ? { releaseGroup: asked } : undefined }),
      },
    ];
  });
}

const isOfficial = ({ status }: Part): boolean =>
  status !== 'Bootleg' && status !== 'Pseudo-Release';

/** Without bootlegs and translated lists of what is there under the same title officially. */
function withoutCopies(releases: readonly Part[]): readonly Part[] {
  const titleIn = ({ title }: Part): string => foldTitle(textOf(title) ?? '');
  const official = new Set(releases.filter(isOfficial).map(titleIn));
  return releases.filter((one) => isOfficial(one) || !official.has(titleIn(one)));
}

const groupOf = (release: Part): string | undefined =>
  mbidOf(partOf(release['release-group'])['id']);

/** An entry of a list. */
export function listedRelease(release: Part): ListedEntry {
  const id = textOf(release['id']) ?? '';
  const title = textOf(release['title']) ?? '';
  const group = textOf(partOf(release['release-group'])['title']);
  const artists = artistsOf(release['artist-credit'], []);
  const phrase = phraseOf(release['artist-credit'], []);
  const count = countOf(release);
  const facts = [phrase, count > 0 ? `${count} tracks` : undefined, textOf(release['country'])];
  return {
    id,
    title,
    otherTitles: group === undefined ? [] : [group],
    people: [...new Set([phrase, ...artists.map(({ name }) => name)])].filter(
      (one) => one !== undefined,
    ),
    url: `https://musicbrainz.org/release/${id}`,
    ...present({
      year: yearOf(release['date']),
      overview: textOf(facts.filter(Boolean).join(' · ')),
    }),
  };
}

const countOf = (release: Part): number =>
  numberOf(release['track-count']) ??
  partsOf(release['media']).reduce((sum, one) => sum + (numberOf(one['track-count']) ?? 0), 0);

/**
 * How well a release fits, by facts that all files of an album share: so all batches of an album
 * choose the same one.
 */
function fitOf(release: Part, { metadata, year }: Question): number {
  const media = partsOf(release['media']);
  const total = numberOf(metadata?.['trackTotal']);
  const discs = numberOf(metadata?.['discTotal']);
  const facts: readonly (readonly [boolean, number])[] = [
    [total !== undefined && media.some((one) => one['track-count'] === total), 4],
    [total !== undefined && release['track-count'] === total, 3],
    [discs !== undefined && media.length === discs, 2],
    [release['status'] === 'Official', 2],
    [release['status'] === 'Pseudo-Release', -5],
    [year !== undefined && yearOf(release['date']) === year, 1],
  ];
  return facts.reduce((sum, [holds, weight]) => sum + (holds ? weight : 0), 0);
}

function nearestYear(releases: readonly Part[], asked: number | undefined): number | undefined {
  const years = releases.flatMap((one) => yearOf(one['date']) ?? []);
  const wanted = asked ?? 0;
  return years.toSorted((one, other) => Math.abs(one - wanted) - Math.abs(other - wanted))[0];
}

/** A track of a release, with what MusicBrainz says of it. */
export interface ListedTrack extends Track {
  readonly part: Part;
}

export const tracksOfRelease = (release: Part): readonly ListedTrack[] =>
  partsOf(release['media']).flatMap((medium, at) =>
    [
      ...partsOf([medium['pregap']].filter((one) => one !== undefined)),
      ...partsOf(medium['tracks']),
      ...partsOf(medium['data-tracks']),
    ].flatMap((part): readonly ListedTrack[] => {
      const recording = partOf(part['recording']);
      const title = textOf(part['title']) ?? textOf(recording['title']);
      const length = numberOf(part['length']) ?? numberOf(recording['length']);
      if (title === undefined) return [];
      return [
        {
          part,
          title,
          disc: numberOf(medium['position']) ?? at + 1,
          track: numberOf(part['position']),
          duration: length === undefined ? undefined : length / 1000,
        },
      ];
    }),
  );
