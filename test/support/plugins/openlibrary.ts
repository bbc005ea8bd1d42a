/** Open Library as its documentation describes it, on the loopback: works that are made up. */
import { hasWordOf, startMadeService, type MadeService } from './made-service.ts';

/** A work that it knows. */
export interface MadeBook {
  /** Makes its ids. */
  readonly no: number;
  readonly title: string;
  readonly author: string;
  readonly year: number;
  readonly isbn?: string;
  /** The title of the edition with the ISBN, or in another language. */
  readonly editionTitle?: string;
  readonly subjects?: readonly string[];
}

/** The answer to a path and a query; `undefined` = 404. */
export function openlibraryReply(
  books: readonly MadeBook[],
  path: string,
  query: URLSearchParams,
): unknown {
  if (path === '/search.json') {
    const docs = books.filter((book) => fits(book, query)).map((book) => docOf(book));
    return { numFound: docs.length, start: 0, numFoundExact: true, docs };
  }
  const [, kind, no] = /^\/(works|authors)\/OL(\d+)[WA]\.json$/.exec(path) ?? [];
  const book = books.find((one) => String(one.no) === no);
  if (book === undefined) return undefined;
  return kind === 'works' ? workOf(book) : authorOf(book);
}

/** Starts it; `picture` is what it sends for each cover. */
export const startOpenlibrary = (
  books: readonly MadeBook[],
  picture: Uint8Array,
): Promise<MadeService> =>
  startMadeService({
    picture,
    pictures: '/covers/',
    notFound: { error: 'notfound', key: '/works/OL0W' },
    answer: ({ path, query }) => openlibraryReply(books, path, query),
  });

/** By key, by ISBN, by title and author, or by any word. */
function fits(book: MadeBook, query: URLSearchParams): boolean {
  const words = query.get('q') ?? '';
  const [, field, value] = /^(isbn|key):(\S+)$/.exec(words) ?? [];
  if (field === 'isbn') return book.isbn === value;
  if (field === 'key') return value === `/works/OL${book.no}W`;
  const [title, author] = [query.get('title'), query.get('author')];
  if (title === null) return hasWordOf(book.title, words);
  const names = [book.title, book.editionTitle ?? ''].join(' ');
  return hasWordOf(names, title) && (author === null || hasWordOf(book.author, author));
}

const docOf = ({ no, title, author, year, isbn, editionTitle, subjects = [] }: MadeBook) => ({
  key: `/works/OL${no}W`,
  title,
  author_name: [author],
  author_key: [`OL${no}A`],
  first_publish_year: year,
  publish_year: [year, year + 8],
  cover_i: no * 100,
  ratings_average: 4.125,
  ratings_count: 20,
  subject: ['Accessible book', ...subjects],
  editions: {
    numFound: 1,
    start: 0,
    docs: [
      {
        key: `/books/OL${no}M`,
        title: editionTitle ?? title,
        cover_i: no * 100 + 1,
        ...(isbn !== undefined && { isbn: [isbn] }),
      },
    ],
  },
});

const workOf = ({ no, title }: MadeBook): object => ({
  key: `/works/OL${no}W`,
  title,
  description: {
    type: '/type/text',
    value: `All about ${title}.\r\n\r\n----------\r\nAlso contained in: [x][1]`,
  },
  covers: [no * 100, -1],
});

const authorOf = ({ no, author }: MadeBook): object => ({
  key: `/authors/OL${no}A`,
  name: author,
  bio: `${author} writes.`,
  photos: [no * 1000],
  remote_ids: { wikidata: `Q${no}` },
});
