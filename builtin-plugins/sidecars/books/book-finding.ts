import type { BundleEntity } from '../../../plugin-api/index.ts';
import {
  entitiesNamed,
  entity,
  known,
  roles,
  source,
  toLine,
  toLines,
  toText,
  type Finding,
} from '../findings/finding.ts';
import type { Ids } from '../nfo/nfo-ids.ts';
import { decodeEntities } from '../xml/entities.ts';

/** A series of books and the position of this book in it. */
export interface BookSeries {
  readonly name: string;
  readonly volume?: number | undefined;
}

/** The contents of documents about books, of any kind. */
export interface BookFacts {
  readonly title?: string | undefined;
  readonly subtitle?: string | undefined;
  readonly sortTitle?: string | undefined;
  readonly authors?: readonly BundleEntity[];
  readonly narrators?: readonly BundleEntity[];
  /** People in other roles. */
  readonly people?: Readonly<Record<string, readonly BundleEntity[]>>;
  readonly series?: readonly BookSeries[];
  readonly genres?: readonly string[];
  readonly tags?: readonly string[];
  readonly publisher?: string | undefined;
  readonly year?: number | undefined;
  readonly airDate?: string | undefined;
  readonly language?: string | undefined;
  readonly overview?: string | undefined;
  readonly rating?: number | undefined;
  readonly certification?: string | undefined;
  readonly ids?: Ids;
  /** Further keys for the plugin's own fields, without its name. */
  readonly own?: Readonly<Record<string, unknown>>;
}

/** Turns them into a finding. */
export function bookFinding(facts: BookFacts): Finding {
  const { authors = [], narrators = [], series = [], own = {} } = facts;
  const genres = toLines(facts.genres ?? []);
  const publisher = toLine(facts.publisher);
  return {
    fields: known({
      title: toLine(facts.title),
      sortTitle: toLine(facts.sortTitle),
      author: joined(authors),
      narrator: joined(narrators),
      bookSeries: series[0]?.name,
      volume: series[0]?.volume,
      year: facts.year,
      airDate: facts.airDate,
      overview: toText(facts.overview === undefined ? undefined : plainText(facts.overview)),
      genres,
      rating: facts.rating,
      certification: facts.certification,
      [`${source}.subtitle`]: toLine(facts.subtitle),
      [`${source}.publisher`]: publisher,
      [`${source}.language`]: facts.language,
      [`${source}.tags`]: toLines(facts.tags ?? []),
      ...Object.fromEntries(Object.entries(own).map(([key, value]) => [`${source}.${key}`, value])),
    }),
    ids: facts.ids ?? {},
    entities: roles({
      author: authors,
      narrator: narrators,
      ...facts.people,
      series: series.map(({ name, volume }) => entity('series', name, { metadata: { volume } })),
      genre: entitiesNamed('genre', genres),
      studio: publisher === undefined ? [] : entitiesNamed('studio', [publisher]),
    }),
  };
}

const joined = (people: readonly BundleEntity[]): string | undefined =>
  toLine(people.map(({ name }) => name).join(', '));

/** People who are known only by their names. */
export function peopleNamed(names: readonly string[]): BundleEntity[] {
  return entitiesNamed('person', toLines(names));
}

/** The text of a description that may contain HTML: paragraphs become lines, tags are removed. */
function plainText(html: string): string {
  if (!html.includes('<')) return decodeEntities(html);
  const lines = html
    .slice(0, 100_000)
    .replace(/<(?:br|\/p|\/div|\/li|\/h[1-6])\b[^<>]{0,200}>/gi, '\n')
    .replace(/<\/?[a-z][^<>]{0,1000}>/gi, '');
  return decodeEntities(lines)
    .split('\n')
    .map((line) => line.trim())
    .join('\n')
    .replace(/\n{3,}/g, '\n\n')
    .trim();
}
