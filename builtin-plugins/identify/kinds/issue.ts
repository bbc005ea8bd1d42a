import type { Identification } from '../../../plugin-api/index.ts';
import { foldTitle } from '../reading/characters.ts';
import type { FilePath } from '../reading/file-path.ts';
import { readIssueName, type IssueName } from '../reading/issue-name.ts';
import { readable } from '../reading/title-text.ts';
import { bookEntities } from './book-entities.ts';
import { compact, type IdentifyContext } from './identify-context.ts';

/** An issue, a volume or a chapter of a comic, by its file and the folder of its series. */
export function identifyIssue(
  path: FilePath,
  folders: readonly string[],
  context: IdentifyContext,
): Identification {
  const own = readIssueName(path.stem, context.thisYear);
  const around = seriesFolder(folders, context);
  const isOfGroup = around !== undefined && isTranslator(path.stem, own, around);
  const series = (isOfGroup ? '' : own.series) || around?.series || own.bracketed || path.stem;
  const { volume, chapter } = placeOf(isOfGroup ? { ...own, series: '' } : own, around);
  const isNumbered = volume !== undefined || chapter !== undefined;
  const belongs = isNumbered || (own.isSpecial === true && series !== path.stem);
  return compact({
    title:
      own.title !== ''
        ? own.title
        : own.isSpecial === true && !isNumbered
          ? readable(path.stem)
          : [series, labelOf(volume, chapter)].filter(Boolean).join(' '),
    metadata: compact({
      bookSeries: belongs ? series : undefined,
      volume,
      chapter,
      year: own.year ?? around?.year,
    }),
    classification: 'primary' as const,
    entities: belongs ? bookEntities(undefined, series) : undefined,
    confidence: isNumbered ? 0.8 : 0.5,
  });
}

/** `Series/Group_Vol.1 Ch.5.cbz`, as readers of the web save chapters: the word in front is not the series. */
function isTranslator(stem: string, own: IssueName, around: IssueName): boolean {
  if (around.series === '' || !groupAhead.test(stem)) return false;
  const [file, folder] = [foldTitle(own.series), foldTitle(around.series)];
  return !file.startsWith(folder) && !folder.startsWith(file);
}

const groupAhead = /^[^_]{1,60}_(?:vol(?:ume)?|ch(?:apter)?|ep(?:isode)?)[ ._]?\d/i;

function readIssueFolder(folder: string, { thisYear }: IdentifyContext): IssueName {
  return readIssueName(folder, thisYear, true);
}

/** The nearest folder with the name of a series; a volume folder (`Volume 03`) has only numbers. */
function seriesFolder(folders: readonly string[], context: IdentifyContext): IssueName | undefined {
  const read = folders.map((folder) => context.remember(readIssueFolder, folder));
  const nearest = read.at(-1);
  if (nearest === undefined || nearest.series !== '') return nearest;
  const named = read.findLast(({ series }) => series !== '');
  return named === undefined ? undefined : { ...named, ...nearest, series: named.series };
}

/** A bare number is that of the issue, or of the chapter if the volume is named. */
function placeOf(
  own: IssueName,
  around: IssueName | undefined,
): { readonly volume: number | undefined; readonly chapter: number | undefined } {
  if (own.volume !== undefined) return { volume: own.volume, chapter: own.chapter ?? own.number };
  if (own.chapter !== undefined) return { volume: around?.volume, chapter: own.chapter };
  if (around?.volume !== undefined && own.series === '' && own.number !== undefined)
    return { volume: around.volume, chapter: own.number };
  return { volume: own.number, chapter: undefined };
}

function labelOf(volume: number | undefined, chapter: number | undefined): string {
  const parts = [
    volume === undefined ? '' : `#${String(volume)}`,
    chapter === undefined ? '' : `ch. ${String(chapter)}`,
  ];
  return parts.filter(Boolean).join(' ');
}
