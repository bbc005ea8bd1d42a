/**
 * Names of folders with an album: `Artist - Album (1999) [FLAC]`, `1999 - Album`, `Album, 1999`. A
 * bracket is about the year, the disc, the copy, or belongs to the title. What is left without the
 * first three and without words about the copy at the end is artist and album.
 */
import { readable } from '../reading/title-text.ts';
import { tokenize } from '../reading/tokens.ts';
import { isFormat, isMedium, isVarious, withoutBrackets, type BareName } from './album-brackets.ts';

/** What the name of an album's folder says. */
export interface AlbumName {
  readonly album: string;
  readonly artist?: string;
  readonly year?: number;
  readonly disc?: number;
}

const longestName = 300;
const discBehind = /[ _.,-]{1,3}(?:cd|disc|disk|disque)[ _.#-]{0,2}(\d{1,2})$/i;
const dateAhead =
  /^((?:19|20)\d\d)(?:[-. ]\d\d[-. ]\d\d)?(?:[ ]*[-–—_][ ]*|\. ?|( )(?=\p{L}))(?=\S)/u;
const yearBehind = /(?<!\d)(?:, ?| ?[-–—] ?)((?:19|20)\d\d)$/;
const bareYearBehind = /[ ._]((?:19|20)\d\d)$/;
const lastWord = /[\s\-–—_,.+&@]+([^\s\-–—_,.+&@]+)$/;
/** `01 - Album`, `3. Album` in the folder of an artist. */
const listNumber = /^(?:0\d - |\d{1,2}\. )(?=\S)/;
const datedPart = /^\(?((?:19|20)\d\d)(?:[-. ]\d\d[-. ]\d\d)?\)?$/;

/** `Ada.Berg-Low.Water`, `Ada_Berg-Low_Water`: without spaces, one dash is between artist and album. */
function splitTight(parts: readonly string[]): readonly string[] {
  const [whole = ''] = parts;
  const tight =
    parts.length === 1 ? /^([^\s-]+(?: [^\s-]+)+)-([^\s-]+(?: [^\s-]+)+)$/.exec(whole) : null;
  return tight === null ? parts : [tight[1] ?? '', tight[2] ?? ''];
}

/** Reads such a name: at most its first 300 characters. */
export function readAlbumName(
  folder: string,
  { mayHaveArtist, thisYear }: { readonly mayHaveArtist: boolean; readonly thisYear: number },
): AlbumName {
  const bare = withoutBrackets(folder.slice(0, longestName), thisYear, mayHaveArtist);
  const ended = withoutCopyWords(bare);
  const listed = mayHaveArtist ? /^$/ : listNumber;
  const behind = withoutDisc(readable(ended.text).replace(listed, ''));
  const dated = withoutYear(behind.text, { year: ended.year, mayHaveArtist, thisYear });
  const disc = bare.disc ?? behind.disc;
  const year = dated.year ?? bare.issued;
  const facts = {
    ...(year === undefined ? {} : { year }),
    ...(disc === undefined ? {} : { disc }),
  };
  const parts = mayHaveArtist ? splitTight(dated.parts) : dated.parts;
  if (mayHaveArtist && parts.length === 1 && isVarious(bare.head))
    return { album: parts[0] || folder, artist: bare.head, ...facts };
  if (mayHaveArtist && parts.length > 1) {
    const [artist = '', ...rest] = parts;
    return { album: rest.join(' - ').trim() || folder, artist, ...facts };
  }
  return { album: parts.join(' - ') || folder, ...facts };
}

/** `Album CD2`. */
function withoutDisc(text: string): { readonly text: string; readonly disc: number | undefined } {
  const match = discBehind.exec(text);
  return match === null || match.index === 0
    ? { text, disc: undefined }
    : { text: text.slice(0, match.index), disc: Number(match[1]) };
}

/** `1999 - Album`, `Album, 1999`, `Artist - 1999 - Album`: the parts between dashes, and the year. */
function withoutYear(
  whole: string,
  known: {
    readonly year: number | undefined;
    readonly mayHaveArtist: boolean;
    readonly thisYear: number;
  },
): { readonly parts: readonly string[]; readonly year: number | undefined } {
  let [text, year] = [whole, known.year];
  const isPlausible = (value: string | undefined): boolean => Number(value) <= known.thisYear + 2;
  const ahead = dateAhead.exec(text);
  const isLoose = ahead?.[2] !== undefined && ahead[0].length === 5;
  if (ahead !== null && isPlausible(ahead[1]) && !(isLoose && known.mayHaveArtist)) {
    year ??= Number(ahead[1]);
    text = readable(text.slice(ahead[0].length));
  }
  const behind = yearBehind.exec(text);
  if (behind !== null && behind.index > 0 && year === undefined && isPlausible(behind[1])) {
    year = Number(behind[1]);
    text = text.slice(0, behind.index).trim();
  }
  const parts = text.split(/ [-–—] /).map((part) => part.trim());
  const middle = parts.findIndex((part, index) => index > 0 && datedPart.test(part));
  if (middle > 0 && parts.length > 2) {
    year ??= Number(datedPart.exec(parts[middle] ?? '')?.[1]);
    parts.splice(middle, 1);
  }
  return { parts, year };
}

/** The name of an artist's folder, without the years, the copy and the word for a discography. */
export function readArtistName(folder: string, thisYear: number): string {
  const bare = withoutBrackets(folder.slice(0, longestName), thisYear, false);
  const text = readable(withoutCopyWords(bare).text)
    .replace(
      /[ ]*[-–—,]?[ ]*(?:the )?(?:complete |full )?(?:discography|discografia|discografía|discographie|diskographie|дискография)(?: completa| complète)?$/i,
      '',
    )
    .trim();
  return text === '' ? readable(folder) : text;
}

/** Whether a title is left in front of a place, and not only an artist or a year. */
const isTitled = (text: string, end: number): boolean => / [-–—] /.test(text.slice(0, end));

/** Removes the words about the copy at the end, and the year before them. */
function withoutCopyWords(bare: BareName): {
  readonly text: string;
  readonly year: number | undefined;
} {
  let { text, year } = bare;
  let isDescribed = false;
  text = text.trimEnd();
  for (let steps = 0; steps < 12; steps += 1) {
    const match = lastWord.exec(text);
    const [token] = match === null ? [] : tokenize(match[1] ?? '').tokens;
    if (match === null || token === undefined || match.index === 0) break;
    // `Artist - Flac`, `2011 - Pop`: all that is left of the title.
    const isTitle =
      / [-–—] $/.test(match[0].slice(0, -(match[1] ?? '').length)) && !isTitled(text, match.index);
    if (isTitle) break;
    if (isFormat(token)) isDescribed = true;
    else if (!(isDescribed || match.index >= bare.describedFrom) || !isMedium(token)) break;
    text = text.slice(0, match.index).trimEnd();
  }
  const dated = isDescribed && year === undefined ? bareYearBehind.exec(text) : null;
  if (dated !== null && dated.index > 0) {
    year = Number(dated[1]);
    text = text.slice(0, dated.index);
  }
  return { text, year };
}
