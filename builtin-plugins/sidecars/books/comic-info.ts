import type { BundleEntity } from '../../../plugin-api/index.ts';
import { entitiesNamed, toLine, toLines, type Finding } from '../findings/finding.ts';
import { toLanguageTag } from '../../../plugin-api/index.ts';
import { createIdCollector, idsInAddresses } from '../nfo/nfo-ids.ts';
import { splitNames, toCount, toDecimal } from '../nfo/nfo-values.ts';
import { textOf, textsOf, type XmlElement } from '../xml/xml-element.ts';
import { bookFinding, peopleNamed } from './book-finding.ts';

/** The elements with people, by role. */
const peopleElements: Readonly<Record<string, string>> = {
  penciller: 'penciller',
  inker: 'inker',
  colorist: 'colorist',
  letterer: 'letterer',
  coverArtist: 'coverartist',
  editor: 'editor',
  translator: 'translator',
};

/** What is known of the issue so far. */
export interface IssueNumbers {
  readonly chapter: number | undefined;
  readonly volume: number | undefined;
}

/**
 * The contents of a ComicInfo document. If its number is not the number of the issue, it describes a
 * neighbour: then only the data of the series are used.
 */
export function readComicInfo(root: XmlElement, { chapter, volume }: IssueNumbers): Finding | null {
  if (root.name !== 'comicinfo') return null;
  const number = toDecimal(textOf(root, 'number'));
  const issue = chapter ?? volume;
  const isOwn = issue === undefined || number === undefined || issue === number;
  const series = toLine(textOf(root, 'series'));
  const genres = splitNames(textsOf(root, 'genre'), /\s*[,;]\s*/);
  const shared = {
    series: series === undefined ? [] : [{ name: series, volume: volumeOf(root) }],
    genres,
    publisher: textOf(root, 'publisher'),
    language: toLanguageTag(textOf(root, 'languageiso') ?? '') ?? undefined,
    certification: certificationOf(root),
    own: { isManga: isManga(root), imprint: toLine(textOf(root, 'imprint')) },
  };
  if (!isOwn) return bookFinding(shared);
  const ids = createIdCollector();
  ids.add('isbn', textOf(root, 'gtin'));
  const finding = bookFinding({
    ...shared,
    title: textOf(root, 'title'),
    authors: people(root, 'writer'),
    people: peopleOf(root),
    tags: splitNames(textsOf(root, 'tags'), /\s*[,;]\s*/),
    year: toCount(textOf(root, 'year')),
    airDate: dateOf(root),
    overview: textOf(root, 'summary'),
    rating: toTen(toDecimal(textOf(root, 'communityrating'))),
    ids: { ...idsInAddresses(textOf(root, 'web') ?? ''), ...ids.ids() },
    own: {
      ...shared.own,
      storyArcs: toLines(splitNames(textsOf(root, 'storyarc'), /\s*[,;]\s*/)),
      characters: toLines(splitNames(textsOf(root, 'characters'), /\s*[,;]\s*/)),
      pages: toCount(textOf(root, 'pagecount')),
    },
  });
  // A number that the name has as the issue (`volume`) is not a chapter as well.
  return number === undefined || (chapter === undefined && number === volume)
    ? finding
    : { ...finding, fields: { ...finding.fields, chapter: number } };
}

/** Western comics number their volumes by years, which are not numbers in a series. */
function volumeOf(root: XmlElement): number | undefined {
  const volume = toCount(textOf(root, 'volume'));
  return volume === undefined || volume === 0 || volume >= 1000 ? undefined : volume;
}

const people = (root: XmlElement, name: string): BundleEntity[] =>
  peopleNamed(splitNames(textsOf(root, name), /\s*[,;]\s*/));

function peopleOf(root: XmlElement): Record<string, readonly BundleEntity[]> {
  const found = Object.entries(peopleElements).map(
    ([role, name]) => [role, people(root, name)] as const,
  );
  const teams = toLines(splitNames(textsOf(root, 'storyarc'), /\s*[,;]\s*/));
  return { ...Object.fromEntries(found), collection: entitiesNamed('series', teams) };
}

/** Five stars are ten points. */
const toTen = (stars: number | undefined): number | undefined =>
  stars === undefined || stars <= 0 || stars > 5 ? undefined : stars * 2;

const isManga = (root: XmlElement): true | undefined =>
  /^yes/i.test(textOf(root, 'manga') ?? '') || undefined;

function certificationOf(root: XmlElement): string | undefined {
  const rating = toLine(textOf(root, 'agerating'));
  return rating === undefined || /^(?:unknown|rating pending)$/i.test(rating) ? undefined : rating;
}

function dateOf(root: XmlElement): string | undefined {
  const [year, month, day] = ['year', 'month', 'day'].map((name) => toCount(textOf(root, name)));
  if (!year || !month || !day || month > 12 || day > 31) return undefined;
  return [String(year), String(month).padStart(2, '0'), String(day).padStart(2, '0')].join('-');
}
