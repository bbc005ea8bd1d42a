import type { Identification, MediaTags } from '../../../plugin-api/index.ts';
import { bookEntities } from '../kinds/book-entities.ts';
import { compact } from '../kinds/identify-context.ts';
import { readVolumeName } from '../kinds/volume-name.ts';
import { nameValues } from './name-values.ts';
import { commonMetadata, entitiesFor, ownMetadata } from './tag-metadata.ts';

/** A book or an issue of a comic: its tags win over its name. */
export function taggedBook(named: Identification, tags: MediaTags): Identification {
  return tagged(named, tags, {
    title: tags.title,
    authors: tags.authors ?? tags.artists ?? asList(tags.artist),
  });
}

/**
 * An audiobook or one of its parts. The album of a part is the book, its title a chapter; the
 * narrator is among the composers if the format has no better place.
 */
export function taggedAudiobook(
  named: Identification,
  tags: MediaTags,
  { thisYear }: { readonly thisYear: number },
): Identification {
  const isPart =
    named.partNumber !== undefined || (tags.trackTotal !== undefined && tags.trackTotal > 1);
  const whole = tags.album ?? (isPart ? undefined : tags.title);
  return tagged(named, tags, {
    title: whole === undefined ? undefined : readVolumeName(whole, thisYear).title,
    authors:
      tags.authors ??
      tags.albumArtists ??
      asList(tags.albumArtist) ??
      tags.artists ??
      asList(tags.artist),
    narrators: tags.narrators ?? tags.composers,
    ...(isPart && tags.track !== undefined && { part: tags.track }),
  });
}

interface BookTags {
  readonly title: string | undefined;
  readonly authors: readonly string[] | undefined;
  readonly narrators?: readonly string[] | undefined;
  readonly part?: number;
}

function tagged(named: Identification, tags: MediaTags, book: BookTags): Identification {
  const fromName = nameValues(named);
  const authors = book.authors ?? asList(fromName.text('author'));
  const narrators = book.narrators ?? asList(fromName.text('narrator'));
  const series = tags.series ?? fromName.text('bookSeries');
  const volume = tags.volume ?? fromName.number('volume');
  const partNumber = named.partNumber ?? book.part;
  return compact({
    ...named,
    title: book.title ?? named.title,
    metadata: compact({
      ...named.metadata,
      ...commonMetadata(tags, named.metadata),
      author: authors?.join(', '),
      narrator: narrators?.join(', '),
      bookSeries: series,
      volume,
      chapter: chapterOf(fromName.number('chapter'), volume, tags.issue),
      year: tags.year ?? fromName.number('year'),
      part: partNumber,
      disc: fromName.number('disc') ?? (partNumber === undefined ? undefined : tags.disc),
      ...ownMetadata(named.metadata, {
        publisher: tags.publisher,
        language: tags.language,
        subtitle: tags.subtitle,
      }),
    }),
    partNumber,
    entities: {
      ...bookEntities(undefined, series),
      ...entitiesFor('author', 'person', authors),
      ...entitiesFor('narrator', 'person', narrators),
      ...entitiesFor('genre', 'genre', tags.genres),
    },
  });
}

/** A number that the name has as the issue (`volume`) is not a chapter as well. */
function chapterOf(
  named: number | undefined,
  volume: number | undefined,
  issue: number | undefined,
): number | undefined {
  return issue === undefined || (named === undefined && issue === volume) ? named : issue;
}

function asList(name: string | undefined): readonly string[] | undefined {
  return name === undefined ? undefined : [name];
}
