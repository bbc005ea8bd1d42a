import type { Identification } from '../../../plugin-api/index.ts';
import { foldTitle } from '../reading/characters.ts';
import type { FilePath } from '../reading/file-path.ts';
import { readable } from '../reading/title-text.ts';
import { shelfWords } from '../words/series-words.ts';
import { bookEntities } from './book-entities.ts';
import { compact, type IdentifyContext } from './identify-context.ts';
import { readVolumeName, type VolumeName } from './volume-name.ts';

const comics: ReadonlySet<string> = new Set(['cbz', 'cbr', 'cb7', 'cbt']);

/** A book or an issue of a comic, by its file and the folders of series and author. */
export function identifyBook(path: FilePath, context: IdentifyContext): Identification {
  const folders = path.folders.filter((folder) => !shelfWords.has(folder.toLowerCase()));
  return comics.has(path.extension)
    ? identifyIssue(path, folders, context)
    : identifyText(path, folders, context);
}

/** `Series 012 (2019)`, `Series v03 c012`, `Series #12 - Title`. */
function identifyIssue(
  path: FilePath,
  folders: readonly string[],
  context: IdentifyContext,
): Identification {
  const own = readVolumeName(path.stem, context.thisYear);
  const folder = folders.at(-1);
  const around = folder === undefined ? undefined : readVolumeName(folder, context.thisYear);
  const issue = readIssue(own.title);
  const isNumberOnly =
    issue.series === '' || /^(?:chapter|ch|issue|vol(?:ume)?)$/i.test(issue.series);
  const series = isNumberOnly ? (around?.title ?? own.title) : issue.series;
  const volume = own.volume ?? (own.chapter === undefined ? issue.number : around?.volume);
  const chapter = own.chapter ?? (own.volume === undefined ? undefined : issue.number);
  const isNumbered = volume !== undefined || chapter !== undefined;
  const label = [
    volume === undefined ? '' : `#${String(volume)}`,
    chapter === undefined ? '' : `ch. ${String(chapter)}`,
  ]
    .filter(Boolean)
    .join(' ');
  return compact({
    title: issue.title !== '' ? issue.title : isNumbered ? `${series} ${label}` : series,
    metadata: compact({
      bookSeries: isNumbered ? series : undefined,
      volume,
      chapter,
      year: own.year ?? around?.year,
    }),
    classification: 'primary' as const,
    entities: isNumbered ? bookEntities(undefined, series) : undefined,
    confidence: isNumbered ? 0.8 : 0.5,
  });
}

function readIssue(name: string): { series: string; number?: number; title: string } {
  const text = withoutNotes(name.slice(0, 300));
  const match = /^(.*?)[ _-]*#?(\d{1,4}(?:\.\d)?)(?: ?(?:\(of \d+\)|of \d+))?(?: - (.+))?$/.exec(
    text.slice(0, 300),
  );
  if (match === null) return { series: text, title: '' };
  return {
    series: readable(
      (match[1] ?? '').replace(/[ _.-]+(?:vol(?:ume)?|issue|no|book|tome|v)\.?$/i, ''),
    ),
    number: Number(match[2]),
    title: (match[3] ?? '').trim(),
  };
}

/** Takes away `(digital) (Group)` behind the number. */
function withoutNotes(text: string): string {
  let rest = text;
  for (let count = 0; count < 6; count += 1) {
    const open = rest.lastIndexOf('(');
    const isNote = open > 0 && rest.endsWith(')') && !/^\(of /.test(rest.slice(open));
    if (!isNote) return rest;
    rest = rest.slice(0, open).trimEnd();
  }
  return rest;
}

/** `Author/Series/01 - Title`, `Author/Title (Year)/Title - Author`, `Author - Title`. */
function identifyText(
  path: FilePath,
  folders: readonly string[],
  context: IdentifyContext,
): Identification {
  const own = splitBracketSeries(readVolumeName(titleFirst(path.stem), context.thisYear));
  const parts = own.title.split(' - ').map((part) => part.trim());
  const author = folders[0] === undefined ? undefined : readable(folders[0]);
  const around =
    folders.length > 1 ? readVolumeName(folders.at(-1) ?? '', context.thisYear) : undefined;
  const named =
    author === undefined ? splitUnshelved(own, parts) : splitShelved(own, parts, author);
  const writer = author ?? named.author;
  const isBookFolder = around !== undefined && isSame(around.title, named.title);
  const between = folders.length > 2 ? readable(folders[1] ?? '') : undefined;
  const series =
    own.series ??
    named.series ??
    between ??
    (isBookFolder && own.volume === undefined ? undefined : around?.title);
  const volume = own.volume ?? named.volume ?? (isBookFolder ? around.volume : undefined);
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

function isSame(a: string, b: string): boolean {
  return foldTitle(a) === foldTitle(b);
}

/** `Title (1965) - Author` is written like the others: `Author - Title (1965)`. */
function titleFirst(stem: string): string {
  const match = /^([^()]{1,200}) (\(\d{4}\)) - ([^()]{1,200})$/.exec(stem);
  return match === null ? stem : `${match[3] ?? ''} - ${match[1] ?? ''} ${match[2] ?? ''}`;
}

/** `Author - [Cycle 02] - Title`. */
function splitBracketSeries(own: VolumeName): VolumeName {
  const match = /^(.{1,120}?) - [[(]([^\][()]{2,80}?) #?(\d{1,3}(?:\.\d)?)[\])] - (.+)$/.exec(
    own.title,
  );
  if (match === null) return own;
  return {
    ...own,
    title: `${match[1] ?? ''} - ${match[4] ?? ''}`,
    series: match[2] ?? '',
    volume: Number(match[3]),
  };
}

interface NamedBook {
  readonly title: string;
  readonly author?: string;
  readonly series?: string;
  readonly volume?: number;
}

function splitUnshelved(own: VolumeName, parts: readonly string[]): NamedBook {
  const [first = '', ...rest] = parts;
  if (rest.length === 0) return { title: own.title };
  const numbered = /^(.+?) #?(\d{1,3})$/.exec(rest[0] ?? '');
  if (rest.length > 1 && numbered !== null) {
    return {
      author: first,
      series: numbered[1] ?? '',
      volume: Number(numbered[2]),
      title: rest.slice(1).join(' - '),
    };
  }
  return { author: first, title: rest.join(' - ') };
}

function splitShelved(own: VolumeName, parts: readonly string[], author: string): NamedBook {
  const kept = parts.filter(
    (part) => !isSame(part, author) && !isSame(part, author.split(', ').reverse().join(' ')),
  );
  if (kept.length === 0 || kept.length === parts.length) {
    const numbered = /^(.+?) #?(\d{1,3})$/.exec(parts[0] ?? '');
    if (parts.length > 1 && numbered !== null) {
      return {
        series: numbered[1] ?? '',
        volume: Number(numbered[2]),
        title: parts.slice(1).join(' - '),
      };
    }
    return { title: own.title };
  }
  const numbered = /^(.+?) #?(\d{1,3})$/.exec(kept[0] ?? '');
  if (kept.length > 1 && numbered !== null) {
    return {
      series: numbered[1] ?? '',
      volume: Number(numbered[2]),
      title: kept.slice(1).join(' - '),
    };
  }
  return { title: kept.join(' - ') };
}
