import type { Identification } from '../../../plugin-api/index.ts';
import { foldTitle } from '../reading/characters.ts';
import { extraFolder, extraSuffix } from '../reading/extras.ts';
import type { FilePath } from '../reading/file-path.ts';
import { readFilmName, type FilmName } from '../reading/film-name.ts';
import { shelfWords } from '../words/series-words.ts';
import { compact, type IdentifyContext } from './identify-context.ts';
import { releaseMetadata } from './release-metadata.ts';

const nameless =
  /^(?:movie|film|video|main|feature|index|video_ts|vts[_ ]\d+(?:[_ ]\d+)?|(?:cd|disc|disk|part|pt)[ _.-]?\d{1,2}|title[_ ]?t?\d+|t\d\d|\d{5}|stream)$/i;
const pieces = /^(?:(?:cd|disc|disk|part|dvd)[ _.-]?\d{1,2}|video_ts|bdmv|stream|backup|subs)$/i;

/** A film, by its file and the folder that holds it. */
export function identifyFilm(path: FilePath, context: IdentifyContext): Identification {
  const extra = extraFolder(path.folders);
  const suffix = extraSuffix(path.stem);
  const folders = extra === undefined ? path.folders : path.folders.slice(0, extra.depth);
  const folder = filmFolder(folders, path.stem, context);
  const own = readFilmName(suffix?.rest ?? path.stem, context.thisYear);
  const isNameless = nameless.test(path.stem) || own.title === '' || suffix?.rest === '';
  const film =
    extra !== undefined && folder !== undefined ? folder : chooseName(own, folder, isNameless);
  const title = film.title === '' ? path.stem.trim() || 'Untitled' : film.title;
  const year = film.year ?? sameFilm(film, folder)?.year ?? sameFilm(film, own)?.year;
  const classification = extra?.classification ?? suffix?.classification;
  const editions =
    own.editions.length > 0 ? own.editions : (sameFilm(film, folder)?.editions ?? []);
  const edition = editions.length === 0 ? undefined : editions.join(', ');
  const part = classification === undefined ? (own.part ?? folderPart(path.folders)) : undefined;
  return compact({
    title,
    metadata: compact({
      year,
      edition,
      part: part?.isDisc === false ? part.number : undefined,
      disc: part?.isDisc === true ? part.number : undefined,
      ...releaseMetadata(own, folder, {
        film: own.film,
        bonus: own.bonus,
        alternativeTitles: film.alternatives.length === 0 ? undefined : film.alternatives,
      }),
    }),
    classification: classification ?? 'primary',
    edition,
    partNumber: part?.number,
    confidence: confidenceIn(film, year, isNameless),
  });
}

/** Below 0.3: the name is not a title at all. */
function confidenceIn(film: FilmName, year: number | undefined, isNameless: boolean): number {
  if (year !== undefined) return 0.9;
  if (nameless.test(film.title) || (isNameless && film.title === '')) return 0.2;
  return film.isRelease ? 0.6 : 0.4;
}

/** `CD2/movie.avi`. */
function folderPart(folders: readonly string[]): FilmName['part'] {
  const match = /^(cd|disc|disk|dvd|part)[ _.-]?(\d{1,2})$/i.exec(folders.at(-1) ?? '');
  if (match === null) return undefined;
  return { number: Number(match[2]), isDisc: match[1]?.toLowerCase() !== 'part' };
}

function readFilmFolder(folder: string, { thisYear }: IdentifyContext): FilmName {
  return readFilmName(folder, thisYear);
}

/** The nearest folder of a single film. */
function filmFolder(
  folders: readonly string[],
  stem: string,
  context: IdentifyContext,
): FilmName | undefined {
  for (let depth = folders.length - 1; depth >= 0; depth -= 1) {
    const folder = folders[depth] ?? '';
    if (pieces.test(folder)) continue;
    if (shelfWords.has(folder.toLowerCase()) || /^\d{4}s?$/.test(folder)) return undefined;
    const film = context.remember(readFilmFolder, folder);
    const saysNoMore = folder === stem && film.year === undefined && !film.isRelease;
    if (!saysNoMore || depth === 0) return film;
  }
  return undefined;
}

/** The file's own name, unless the folder is clearly of a single film and the file says less. */
function chooseName(own: FilmName, folder: FilmName | undefined, isNameless: boolean): FilmName {
  if (folder === undefined || folder.title === '') return own;
  if (isNameless) return folder;
  if (isSameTitle(own.title, folder.title))
    return folder.year !== undefined || own.year === undefined ? folder : own;
  const isFilmFolder = folder.year !== undefined || folder.isRelease;
  if (!isFilmFolder || own.year !== undefined) return own;
  return folder;
}

function sameFilm(film: FilmName, other: FilmName | undefined): FilmName | undefined {
  return other !== undefined && (film === other || isSameTitle(film.title, other.title))
    ? other
    : undefined;
}

function isSameTitle(a: string, b: string): boolean {
  return a === b || foldTitle(a) === foldTitle(b);
}
