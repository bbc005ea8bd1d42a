import type { Identification } from '../../../plugin-api/index.ts';
import { foldTitle } from '../reading/characters.ts';
import type { FilePath } from '../reading/file-path.ts';
import { readNumber } from '../reading/numbers.ts';
import { readable } from '../reading/title-text.ts';
import { shelfWords } from '../words/series-words.ts';
import { bookEntities } from './book-entities.ts';
import { readDiscFolder } from './disc-folder.ts';
import { compact, type IdentifyContext } from './identify-context.ts';
import { splitAuthor, splitInSeries, splitShelved } from './named-book.ts';
import { readVolumeName, type VolumeName } from './volume-name.ts';

interface BookFolders {
  readonly author: string | undefined;
  readonly series: string | undefined;
  readonly book: VolumeName | undefined;
  /** Only the number of the book is known, and it has the title of its series. */
  readonly isUntitled?: boolean;
  readonly disc: number | undefined;
}

const discFolder = /^(?:cd|disc|disk|part|teil)[ _.#-]{0,2}(\d{1,3})\b/i;
const onlyVolume =
  /^(?:vol(?:ume)?|book|bk|band|buch|tome|tomo|livre|libro|deel|#)?[ ._-]{0,2}#?(\d{1,3}(?:\.\d)?)$/i;
const partWord =
  /^(?:chapter|chap|ch|part|pt|teil|kapitel|chapitre|capitulo|capítulo|capitolo|track|disc|cd|side|section|hoofdstuk|rozdział|глава|часть|prologue|epilogue|intro|introduction|opening credits|end credits|opening|credits|prolog|epilog)(?![\p{L}])[ _.#-]*(\d{1,4}|\p{L}{3,6}(?!\p{L}))?/iu;

/** An audiobook or one of its parts, by its file and the folders of book, series and author. */
export function identifyAudiobook(path: FilePath, context: IdentifyContext): Identification {
  const folders = context.remember(readFolders, path.folder);
  const {
    book,
    part,
    isInSeries = false,
    author = folders.author,
  } = readFile(path, folders, context);
  const series =
    book.series ??
    (isInSeries && folders.series === undefined ? folders.book?.title : folders.series);
  const year = book.year ?? folders.book?.year;
  return compact({
    title: book.title,
    metadata: compact({
      author,
      narrator: book.narrator,
      year,
      bookSeries: series,
      volume: book.volume,
      part,
      disc: folders.disc,
    }),
    classification: 'primary' as const,
    partNumber: part,
    entities: bookEntities(author, series, book.narrator),
    confidence: author === undefined ? 0.5 : 0.8,
  });
}

/** The role of a file: its book, and which part of it. */
interface FileOfBook {
  readonly book: VolumeName;
  readonly part: number | undefined;
  readonly author?: string;
  /** The folder is not a book but a series of books. */
  readonly isInSeries?: boolean;
}

/** Whether the file is the whole book of its folder, a part of it, or another book. */
function readFile(path: FilePath, folders: BookFolders, context: IdentifyContext): FileOfBook {
  const own = readVolumeName(path.stem, context.thisYear);
  const { book, isUntitled = false } = folders;
  if (book === undefined) {
    const { author, ...named } = splitAuthor(own);
    return { book: named, part: undefined, ...(author !== undefined && { author }) };
  }
  const part = partOf(path.stem, book);
  if (part !== undefined) return { book, part: part.number };
  if (isUntitled) return { book: { ...book, ...own, volume: book.volume ?? 0 }, part: undefined };
  if (isSameBook(own.title, book.title)) {
    return { book: { ...own, ...book }, part: trailingNumber(path.stem, book.title) };
  }
  const isWhole = /^(?:m4b|aax)$/.test(path.extension);
  if (isWhole && folders.author === undefined && own.volume === undefined) {
    return { book: own, part: undefined, author: book.title };
  }
  const isInSeries = isWhole && folders.author !== undefined && own.volume !== undefined;
  if (isInSeries) return { book: own, part: undefined, isInSeries };
  return { book, part: own.volume };
}

/** `03`, `03 - Chapter 3`, `Part 2`: the number of a part, if the file has no title of its own. */
function partOf(stem: string, book: VolumeName): { number: number | undefined } | undefined {
  const text = readable(stem);
  const ahead = /^(\d{1,4})(?:[ .)_-]+|$)/.exec(text);
  const rest = ahead === null ? text : text.slice(ahead[0].length);
  const word = partWord.exec(rest);
  if (ahead !== null && (rest === '' || word !== null || isSameBook(rest, book.title))) {
    return { number: Number(ahead[1]) };
  }
  if (word !== null) return { number: readNumber(word[1]?.toLowerCase() ?? '') };
  return undefined;
}

/** `Title - 03`, `Title Part 2`. */
function trailingNumber(stem: string, title: string): number | undefined {
  const text = readable(stem);
  const at = text.toLowerCase().indexOf(title.toLowerCase());
  const rest = at < 0 ? text : text.slice(at + title.length);
  const match =
    /^[\s\-–_.,([]*(?:(?:part|pt|cd|disc|teil|chapter|track)[ _.]?)?(\d{1,3})(?:[ )\]]|$)/i.exec(
      rest,
    );
  const last =
    match ?? / - (\d{1,4})$/.exec(text) ?? /^[^\d]{4,100}[-_ ](\d{2,3})(?:[-_ ]\D*)?$/.exec(text);
  if (last !== null) return Number(last[1]);
  const spelled = /^[\s,(–-]*(?:part|chapter|disc) (\p{L}{3,6})\)?$/iu.exec(rest);
  return spelled === null ? undefined : readNumber((spelled[1] ?? '').toLowerCase());
}

function isSameBook(a: string, b: string): boolean {
  const [x, y] = [foldTitle(a), foldTitle(b)];
  return (
    x === y ||
    (y.length > 3 && x.startsWith(y)) ||
    (x.length > 3 && y.startsWith(x)) ||
    (y.length > 5 && x.includes(y))
  );
}

function readFolders(path: string, context: IdentifyContext): BookFolders {
  const rest = path === '' ? [] : path.split('/');
  while (rest.length > 1 && shelfWords.has((rest[0] ?? '').toLowerCase())) rest.shift();
  const deepest = rest.at(-1) ?? '';
  const match = rest.length > 1 ? discFolder.exec(deepest) : null;
  if (match !== null) rest.pop();
  const named = rest.pop();
  const behind = match === null && named !== undefined ? readDiscFolder(named) : undefined;
  const before = behind === undefined || behind.before === '' ? named : behind.before;
  const above = rest.at(-1);
  const isInBook =
    before !== undefined &&
    before !== named &&
    above !== undefined &&
    foldTitle(readVolumeName(above, context.thisYear).title) === foldTitle(before);
  const folder = isInBook ? rest.pop() : before;
  const disc = match === null ? (before === named ? undefined : behind?.disc) : Number(match[1]);
  if (folder === undefined) return { author: undefined, series: undefined, book: undefined, disc };
  const book = readVolumeName(folder, context.thisYear);
  if (rest.length === 0) {
    const { author, ...named } = splitAuthor(book);
    return { author, series: undefined, book: named, disc };
  }
  const numbered = onlyVolume.exec(folder);
  if (numbered !== null && rest.length > 1) {
    const series = readable(rest.at(-1) ?? '');
    const untitled = { title: series, series, volume: Number(numbered[1]) };
    return { author: readable(rest[0] ?? ''), series, book: untitled, disc, isUntitled: true };
  }
  const author = readable((rest[0] ?? '').replace(/ \[\d{1,2}\]$/, ''));
  const series = rest.length > 1 ? readable(rest.at(-1) ?? '') : undefined;
  const shelved = splitShelved(book, author);
  const placed = series === undefined ? shelved : splitInSeries(shelved, series);
  return { author, series, book: placed, disc };
}
