/** Which folder around a film is that of the film alone, and when its name is better than the file's. */
import { foldTitle } from '../reading/characters.ts';
import { readFilmName, type FilmName } from '../reading/film-name.ts';
import { knownWords } from '../reading/known-words.ts';
import { tokenize } from '../reading/tokens.ts';
import { shelfWords } from '../words/series-words.ts';
import type { IdentifyContext } from './identify-context.ts';

/** The folders of a film. */
export interface FilmFolder {
  readonly film: FilmName;
  /** It holds several films, so that its title and year are not theirs. */
  readonly isCollection: boolean;
}

const pieces =
  /^(?:(?:cd|disc|disk|part|dvd)[ _.-]?\d{1,2}|video_ts|bdmv|stream|backup|subs|plex versions|optimized for .{1,40})$/i;
const collection =
  /(?:^|[ ._([-])(?:collection|trilogy|duology|dilogy|tetralogy|quadrilogy|pentalogy|hexalogy|heptalogy|octalogy|anthology|filmography|box ?set|sammlung|trilogie|tetralogie|coffret|colección|coleccion|trilogía|trilogia|collezione|kolekcja|коллекция|трилогия|антология|дилогия)(?=$|[ ._)\]-])/i;
const edition = /criterion[ ._]collection/i;
const severalYears = /(?:19|20)\d\d ?[-–,&+] ?(?:19|20)\d\d/;
const severalFilms = /[ ._]1[-–]\d{1,2}(?=$|[ ._([])/;

/** The nearest folder of a film, or of a collection of films. */
export function filmFolder(
  folders: readonly string[],
  stem: string,
  context: IdentifyContext,
): FilmFolder | undefined {
  for (let depth = folders.length - 1; depth >= 0; depth -= 1) {
    const folder = folders[depth] ?? '';
    if (pieces.test(folder)) continue;
    if (shelfWords.has(folder.toLowerCase()) || /^\d{4}s?$/.test(folder)) return undefined;
    if (depth > 0 && context.remember(isVersion, folder)) continue;
    const film = context.remember(readFilm, folder);
    const saysNoMore = folder === stem && film.year === undefined && !film.isRelease;
    if (!saysNoMore || depth === 0)
      return { film, isCollection: context.remember(isCollection, folder) };
  }
  return undefined;
}

/** `Title (2009)/Extended/`, `…/1080p/`, `…/German/`: the editions that such folders name. */
export function versionEditions(
  folders: readonly string[],
  context: IdentifyContext,
): readonly string[] {
  const folder = folders.findLast((name) => !pieces.test(name)) ?? '';
  if (folders.length < 2 || !context.remember(isVersion, folder)) return [];
  return readFilmName(`a (2000) ${folder}`, context.thisYear).editions;
}

/** For `remember`: most files of films are named as their folders. */
export function readFilm(name: string, { thisYear }: IdentifyContext): FilmName {
  return readFilmName(name, thisYear);
}

function isCollection(folder: string): boolean {
  const text = folder.slice(0, 300);
  return (
    (collection.test(text) && !edition.test(text)) ||
    severalYears.test(text) ||
    severalFilms.test(text)
  );
}

/** Whether every word is about a version of a film. */
function isVersion(folder: string): boolean {
  const { tokens } = tokenize(folder.slice(0, 100));
  if (tokens.length === 0) return false;
  for (let index = 0; index < tokens.length;) {
    const found = knownWords.find(tokens, index);
    const isLines = /^\d{3,4}[pi]$/.test(tokens[index]?.key ?? '');
    if (found === undefined && !isLines) return false;
    index += found?.length ?? 1;
  }
  return true;
}

/**
 * `Title (2009)/Title - Part 1.mkv`, `…/Title Extended.mkv`: the file read as if the year of the
 * folder stood behind the title, so that the rest of its name is not part of a title.
 */
export function readBehindTitle(
  stem: string,
  folder: FilmName,
  thisYear: number,
): FilmName | undefined {
  const { title, year } = folder;
  if (year === undefined || title === '') return undefined;
  if (!stem.toLowerCase().startsWith(title.toLowerCase())) return undefined;
  const rest = stem.slice(title.length);
  if (!/^[ ._(-]/.test(rest)) return undefined;
  return readFilmName(`${title} (${String(year)})${rest}`, thisYear);
}

/** `qf`, `qtfld`: the initials of the title, or its consonants, in one word. */
export function abbreviates(word: string, title: string): boolean {
  if (!/^\p{L}{2,10}$/u.test(word)) return false;
  const short = word.toLowerCase();
  const words = title.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
  if (words.length > 1 && words.map((part) => part.charAt(0)).join('') === short) return true;
  const whole = foldTitle(title);
  if (short.length < 3 || /[aeiouyäöü]/.test(short) || short.charAt(0) !== whole.charAt(0))
    return false;
  let from = 0;
  for (const letter of short) {
    const at = whole.indexOf(letter, from);
    if (at < 0) return false;
    from = at + 1;
  }
  return true;
}
