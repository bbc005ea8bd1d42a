import type { Identification } from '../../../plugin-api/index.ts';
import { foldTitle } from '../reading/characters.ts';
import type { FilePath } from '../reading/file-path.ts';
import { readIssueName } from '../reading/issue-name.ts';
import { readable } from '../reading/title-text.ts';
import { shelfWords } from '../words/series-words.ts';
import { bookEntities } from './book-entities.ts';
import { compact, type IdentifyContext } from './identify-context.ts';
import { identifyIssue } from './issue.ts';
import { splitAuthor, splitShelved } from './named-book.ts';
import { readVolumeName } from './volume-name.ts';

const comics: ReadonlySet<string> = new Set([
  'cbz',
  'cbr',
  'cb7',
  'cbt',
  'cba',
  'zip',
  'rar',
  '7z',
]);

/** A book or an issue of a comic, by its file and the folders of series and author. */
export function identifyBook(path: FilePath, context: IdentifyContext): Identification {
  const folders = path.folders.filter((folder) => !shelfWords.has(folder.toLowerCase()));
  return comics.has(path.extension) || isSerial(path, folders, context)
    ? identifyIssue(path, folders, context)
    : identifyText(path, folders, context);
}

/** `Series v03.epub`, `Series/Series Vol. 3.pdf`: a volume of a series, without an author around it. */
function isSerial(path: FilePath, folders: readonly string[], context: IdentifyContext): boolean {
  if (folders.length > 1) return false;
  const own = readIssueName(path.stem, context.thisYear);
  if (own.series === '' || (own.volume === undefined && own.chapter === undefined)) return false;
  if (readVolumeName(path.stem, context.thisYear).series !== undefined) return false;
  const [folder] = folders;
  return folder === undefined
    ? !own.series.includes(' - ')
    : foldTitle(readIssueName(folder, context.thisYear, true).series) === foldTitle(own.series);
}

/** `Author/Series/01 - Title`, `Author/Title (Year)/Title - Author`, `Author - Title`. */
function identifyText(
  path: FilePath,
  folders: readonly string[],
  context: IdentifyContext,
): Identification {
  const own = readVolumeName(titleFirst(path.stem), context.thisYear);
  const author = folders[0] === undefined ? undefined : readable(folders[0]);
  const named = author === undefined ? splitAuthor(own) : splitShelved(own, author);
  const around =
    folders.length > 1 ? readVolumeName(folders.at(-1) ?? '', context.thisYear) : undefined;
  const writer = author ?? named.author;
  const isBookFolder = around !== undefined && foldTitle(around.title) === foldTitle(named.title);
  const between = folders.length > 2 ? readable(folders[1] ?? '') : undefined;
  const series =
    named.series ??
    between ??
    (isBookFolder && own.volume === undefined ? undefined : around?.title);
  const volume = named.volume ?? (isBookFolder ? around.volume : undefined);
  return compact({
    title: named.title,
    metadata: compact({
      author: writer,
      bookSeries: series,
      volume,
      year: own.year ?? (isBookFolder ? around.year : undefined),
    }),
    classification: 'primary' as const,
    entities: bookEntities(writer, series),
    confidence: writer === undefined ? 0.4 : 0.7,
  });
}

/** `Title (1965) - Author` is written like the others: `Author - Title (1965)`. */
function titleFirst(stem: string): string {
  const match = /^([^()]{1,200}) (\(\d{4}\)) - ([^()]{1,200})$/.exec(stem);
  return match === null ? stem : `${match[3] ?? ''} - ${match[1] ?? ''} ${match[2] ?? ''}`;
}
