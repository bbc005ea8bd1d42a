import type { Identification } from '../../../plugin-api/index.ts';
import { foldTitle } from '../reading/characters.ts';
import { extraFolder, extraSuffix, filmExtraFolders } from '../reading/extras.ts';
import type { FilePath } from '../reading/file-path.ts';
import type { FilmName } from '../reading/film-name.ts';
import {
  abbreviates,
  filmFolder,
  readFilm,
  readBehindTitle,
  versionEditions,
  type FilmFolder,
} from './film-folder.ts';
import { compact, type IdentifyContext } from './identify-context.ts';
import { releaseMetadata } from './release-metadata.ts';

const nameless =
  /^(?:movie|film|video|main|feature|index|video_ts|vts[_ ]\d+(?:[_ ]\d+)?|(?:cd|disc|disk|part|pt)[ _.-]?\d{1,2}|title[_ ]?t?\d+|t\d\d|\d{5}|stream)$/i;

/** The VOBs of the menus of a DVD. */
const menu = /^(?:video_ts|vts_\d\d_0)$/i;

/** A film, by its file and the folder that holds it. */
export function identifyFilm(path: FilePath, context: IdentifyContext): Identification {
  const extra = extraFolder(path.folders, filmExtraFolders);
  const suffix = extraSuffix(path.stem);
  const folders = extra === undefined ? path.folders : path.folders.slice(0, extra.depth);
  const around = filmFolder(folders, path.stem, context);
  const folder = around?.film;
  const stem = suffix?.rest ?? path.stem;
  const read = context.remember(readFilm, stem);
  const isBehind = read.year === undefined && around?.isCollection === false;
  const own = (isBehind ? readBehindTitle(stem, around.film, context.thisYear) : undefined) ?? read;
  const isNameless = nameless.test(path.stem) || own.title === '' || suffix?.rest === '';
  const film =
    extra !== undefined && folder !== undefined ? folder : chooseName(own, around, isNameless);
  const title = film.title === '' ? path.stem.trim() || 'Untitled' : film.title;
  const year = film.year ?? sameFilm(film, folder)?.year ?? sameFilm(film, own)?.year;
  const isMenu = path.extension === 'vob' && menu.test(path.stem);
  const classification =
    extra?.classification ?? suffix?.classification ?? (isMenu ? 'extra' : undefined);
  const editions =
    own.editions.length > 0
      ? own.editions
      : [...(sameFilm(film, folder)?.editions ?? []), ...versionEditions(path.folders, context)];
  const edition = editions.length === 0 ? undefined : editions.join(', ');
  const part =
    classification === undefined
      ? (own.part ?? partNamed(path.stem) ?? partNamed(pieceFolder(path.folders)))
      : undefined;
  return compact({
    title,
    metadata: compact({
      year,
      edition,
      part: part?.isDisc === false ? part.number : undefined,
      disc: part?.isDisc === true ? part.number : undefined,
      ...releaseMetadata(
        own,
        around?.isCollection === true ? { ...around.film, ids: {} } : folder,
        {
          film: own.film,
          bonus: own.bonus,
          alternativeTitles: film.alternatives.length === 0 ? undefined : film.alternatives,
        },
      ),
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

/** The nearest folder that is not part of the structure of a disc. */
function pieceFolder(folders: readonly string[]): string {
  return folders.findLast((folder) => !/^(?:video_ts|bdmv|stream)$/i.test(folder)) ?? '';
}

/** `CD2/movie.avi`, `CD2.avi`. */
function partNamed(name: string): FilmName['part'] {
  const match = /^(cd|disc|disk|dvd|part)[ _.-]?(\d{1,2})$/i.exec(name);
  if (match === null) return undefined;
  return { number: Number(match[2]), isDisc: match[1]?.toLowerCase() !== 'part' };
}

/** The file's own name, unless the folder is clearly of a single film and the file says less. */
function chooseName(own: FilmName, around: FilmFolder | undefined, isNameless: boolean): FilmName {
  const folder = around?.film;
  if (folder === undefined || folder.title === '') return own;
  if (isNameless || abbreviates(own.title, folder.title)) return folder;
  if (isSameTitle(own.title, folder.title))
    return folder.year !== undefined || own.year === undefined ? folder : own;
  if (around?.isCollection === true) return own;
  if (own.year !== undefined) return own.year === folder.year && !folder.isRelease ? folder : own;
  return folder.year !== undefined || folder.isRelease ? folder : own;
}

function sameFilm(film: FilmName, other: FilmName | undefined): FilmName | undefined {
  return other !== undefined && (film === other || isSameTitle(film.title, other.title))
    ? other
    : undefined;
}

function isSameTitle(a: string, b: string): boolean {
  return a === b || foldTitle(a) === foldTitle(b);
}
