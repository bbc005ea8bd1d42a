/** What Open Library says of a book, as the server keeps it. */
import type { BundleEntity, Identification, IndexFile } from '../../plugin-api/index.ts';
import { isLater } from '../catalogue-lookup/ask.ts';
import { titleLikeness } from '../catalogue-lookup/titles.ts';
import {
  idOf,
  numberOf,
  partOf,
  present,
  textOf,
  textsOf,
  type Part,
} from '../catalogue-lookup/values.ts';
import { editionOf, idInKey, pictureAt, source, type Catalogue } from './catalogue.ts';
import { genresIn } from './genres.ts';
import { isbnOf } from './isbn.ts';

/** A work, as a search lists it and as it is, and the file that is an edition of it. */
export interface FoundBook {
  readonly id: string;
  readonly listed: Part;
  readonly work: Part;
  readonly file: IndexFile;
  readonly confidence: number;
}

/** The identification; `null` without a title. */
export async function toIdentification(
  { id, listed, work, file, confidence }: FoundBook,
  catalogue: Catalogue,
): Promise<Identification | null> {
  const edition = editionOf(listed);
  const original = textOf(work['title']) ?? textOf(listed['title']);
  const isOwn = isEditionOf(edition, file);
  const title = titleOf(file, isOwn, [textOf(edition['title']), original]);
  if (title === undefined) return null;
  const authors = await authorsOf(listed, catalogue);
  const cover = pictureAt(catalogue, 'b', edition['cover_i'] ?? listed['cover_i'] ?? coverOf(work));
  const names = textsOf(listed['author_name']);
  return {
    title,
    metadata: present({
      originalTitle: original,
      author: names.length === 0 ? undefined : names.slice(0, mostAuthors).join(', '),
      year: numberOf(listed['first_publish_year']),
      overview: proseOf(work['description']),
      rating: ratingOf(listed),
      openlibraryUrl: `https://openlibrary.org/works/${id}`,
      ids: present({
        openlibrary: id,
        'openlibrary-edition': isOwn ? idInKey(edition['key'], 'M') : undefined,
      }),
    }),
    entities: {
      ...(authors.length > 0 && { author: authors }),
      ...genresIn(listed['subject']),
    },
    ...(cover !== undefined && { assets: [{ type: 'cover', uri: cover, source }] }),
    confidence,
    match: { id },
  };
}

/** Whether the edition has the ISBN of the file. */
function isEditionOf(edition: Part, { known }: IndexFile): boolean {
  const isbn = isbnOf(idOf(partOf(known?.ids['isbn'])['id']));
  return isbn !== undefined && textsOf(edition['isbn']).some((one) => isbnOf(one) === isbn);
}

/**
 * The edition of the ISBN knows its title. Of other editions the title counts that is most like the
 * file's own: a translation keeps its title.
 */
function titleOf(
  { known }: IndexFile,
  isOwn: boolean,
  titles: readonly (string | undefined)[],
): string | undefined {
  const [first, ...rest] = titles.filter((one) => one !== undefined);
  if (isOwn || known === undefined || first === undefined) return first;
  return [first, ...rest].reduce((best, one) =>
    titleLikeness(known.title, one) > titleLikeness(known.title, best) ? one : best,
  );
}

const coverOf = ({ covers }: Part): unknown => (Array.isArray(covers) ? covers[0] : undefined);

const leastVotes = 10;

/** Of 10, where enough people rated it. */
function ratingOf(listed: Part): number | undefined {
  const [average, count] = [numberOf(listed['ratings_average']), numberOf(listed['ratings_count'])];
  if (average === undefined || (count ?? 0) < leastVotes) return undefined;
  return Math.round(average * 20) / 10;
}

/** A text, or `{type, value}`; what follows a rule are notes on the source. */
function proseOf(value: unknown): string | undefined {
  const text = textOf(value) ?? textOf(partOf(value)['value']);
  return textOf(
    text
      ?.replace(/\r/g, '')
      .replace(/\n-{3,}[^]*$/, '')
      .replace(/\(?\[source\][^)\n]*\)+/gi, ''),
  );
}

const mostAuthors = 10;
/** Of so many authors the pages are asked for. */
const mostLookedAt = 2;

/** The authors, the first ones with photo and life. */
async function authorsOf(listed: Part, catalogue: Catalogue): Promise<readonly BundleEntity[]> {
  const keys = textsOf(listed['author_key']);
  const names = textsOf(listed['author_name']).slice(0, mostAuthors);
  return Promise.all(
    names.map(async (name, order): Promise<BundleEntity> => {
      const id = idInKey(keys[order], 'A');
      const page = id !== undefined && order < mostLookedAt ? await pageOf(id, catalogue) : {};
      const wikidata = textOf(partOf(page['remote_ids'])['wikidata']);
      const { photos } = page;
      return {
        name,
        type: 'person',
        status: 'complete',
        source,
        ...(id !== undefined && {
          ids: {
            openlibrary: { id },
            ...(wikidata !== undefined && { wikidata: { id: wikidata } }),
          },
        }),
        metadata: present({
          order,
          overview: proseOf(page['bio']),
          imageUrl: pictureAt(catalogue, 'a', Array.isArray(photos) ? photos[0] : undefined),
          openlibraryUrl: id && `https://openlibrary.org/authors/${id}`,
        }),
      };
    }),
  );
}

/** A page that does not come now costs the photo, and not the book. */
async function pageOf(id: string, { ask }: Catalogue): Promise<Part> {
  try {
    return partOf(await ask(`/authors/${id}.json`));
  } catch (error) {
    if (!isLater(error)) throw error;
    return {};
  }
}
