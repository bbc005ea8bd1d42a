/** Books that look alike, and files of them as people have them. */
import { seeded } from '../../support/seeded.ts';
import { openlibraryReply, type MadeBook } from '../../support/plugins/openlibrary.ts';
import {
  changed,
  foreignTitle,
  mistyped,
  personName,
  pick,
  plainLetters,
  title,
  yearFrom,
  type Random,
} from './made-words.ts';
import { createWordIndex } from './word-index.ts';

/** A file, the book in it, and the ISBN that it names. */
export interface BookFile {
  readonly path: string;
  readonly book: MadeBook;
  readonly isbn: string | undefined;
}

const kinds: readonly (readonly [
  share: number,
  make: (book: MadeBook, random: Random) => Partial<MadeBook>,
])[] = [
  // The same title of another author.
  [0.08, ({ title: same }) => ({ title: same })],
  [0.06, ({ title: same, author, year }) => ({ title: `${same}, Book 2`, author, year: year + 2 })],
  [
    0.04,
    ({ title: same, author, year }, random) => ({
      ...{ author, year: year + 1 },
      title: `${same}: ${pick(['The Return', 'A Memoir', 'The Beginning'], random)}`,
    }),
  ],
  // Another book of the author.
  [0.2, ({ author }) => ({ author })],
  [0.02, (_, random) => ({ title: pick(['Collected Poems', 'Short Stories', 'Letters'], random) })],
  // A namesake of the author.
  [
    0.02,
    ({ author }, random) => ({
      author: author.replace(/^\S+/, () => personName(random).split(' ')[0] ?? ''),
    }),
  ],
];

/** An ISBN of 13 digits with its check digit. */
function isbnFor(no: number): string {
  const digits = `978${String(100_000_000 + no * 7).slice(0, 9)}`;
  const sum = Array.from(digits).reduce(
    (all, one, at) => all + Number(one) * (at % 2 === 0 ? 1 : 3),
    0,
  );
  return `${digits}${(10 - (sum % 10)) % 10}`;
}

/** Makes books; the same ones each time. */
export function madeBooks(count: number): readonly MadeBook[] {
  const random = seeded(28);
  const books: MadeBook[] = [];
  for (let no = 1; no <= count; no++) {
    const before = books.length === 0 ? undefined : pick(books, random);
    const own = before === undefined ? {} : likeness(before, random);
    books.push({
      no,
      title: title(random),
      author: personName(random),
      year: yearFrom(random),
      isbn: isbnFor(no),
      ...(random() < 0.15 && { editionTitle: foreignTitle(random) }),
      ...own,
    });
  }
  return books;
}

function likeness(before: MadeBook, random: Random): Partial<MadeBook> {
  let at = random();
  for (const [share, make] of kinds) {
    if (at < share) return make(before, random);
    at -= share;
  }
  return {};
}

const titleNoises: Parameters<typeof changed<MadeBook>>[0] = [
  [60, (book) => book.title],
  [9, (book, random) => mistyped(book.title, random)],
  [7, (book) => plainLetters(book.title)],
  [6, (book) => book.title.replace(/^(The|A) /, '')],
  [4, (book) => book.title.replace(/^(The|A) (.*)$/, '$2, $1')],
  [5, (book) => book.title.toUpperCase()],
  [5, (book) => book.title.replace(/: .*$/, '')],
  [4, (book) => book.editionTitle ?? book.title],
];

const authorNoises: Parameters<typeof changed<MadeBook>>[0] = [
  [70, (book) => book.author],
  [15, (book) => book.author.replace(/^(\S+) (.*)$/, '$2, $1')],
  [8, (book, random) => mistyped(book.author, random)],
  [7, (book) => book.author.replace(/^(\S)\S+/, '$1.')],
];

/** Makes the files; the same ones each time. */
export function bookFiles(books: readonly MadeBook[], count: number): readonly BookFile[] {
  const random = seeded(10_002);
  return Array.from({ length: count }, () => {
    const book = pick(books, random);
    const [name, author] = [
      changed(titleNoises, book, random),
      changed(authorNoises, book, random),
    ];
    const plain = name.replaceAll(':', random() < 0.5 ? ' -' : '').replaceAll('/', ' ');
    const at = random();
    const year = at < 0.3 ? '' : at < 0.4 ? ` (${book.year + 8})` : ` (${book.year})`;
    const isbn = random() < 0.15 ? book.isbn : undefined;
    const forms = [
      () => `${author}/${plain}${year}.epub`,
      () => `${author}/${plain}${year}/${plain}.epub`,
      () => `${author} - ${plain}${year}.epub`,
    ];
    return { path: pick(forms, random)(), book, isbn };
  });
}

/** A service without a network, which answers as Open Library documents it. */
export function createBookService(books: readonly MadeBook[]): (url: URL) => unknown {
  const byWords = createWordIndex(books, ({ title: name, editionTitle, author }) => [
    ...[name, author],
    ...(editionTitle === undefined ? [] : [editionTitle]),
  ]);
  const byIsbn = new Map(books.map((book) => [book.isbn, book]));
  const some = (path: string, query: URLSearchParams): readonly MadeBook[] => {
    const words = query.get('q') ?? '';
    const no = /OL(\d+)[WA]/.exec(path + words)?.[1];
    if (no !== undefined) return books.slice(Number(no) - 1, Number(no));
    const isbn = /^isbn:(\S+)$/.exec(words)?.[1];
    if (isbn !== undefined) return [byIsbn.get(isbn)].filter((one) => one !== undefined);
    const text = [words, query.get('title'), query.get('author')].filter(Boolean).join(' ');
    // Both fields are asked for, and each must fit: the reply leaves the others out.
    return byWords(text, 10);
  };
  return ({ pathname, searchParams }) =>
    openlibraryReply(some(pathname, searchParams), pathname, searchParams) ?? null;
}
