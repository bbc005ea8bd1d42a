import { foldTitle } from './characters.ts';
import { readable } from './title-text.ts';

/** What a name says of a track after the number in front. */
export interface TrackName {
  readonly title: string;
  readonly artist?: string;
  readonly album?: string;
  readonly year?: number;
  readonly disc?: number;
  readonly track?: number;
}

export interface TrackContext {
  /** Of the album's folder; undefined when it is unknown, and for a compilation. */
  readonly artist: string | undefined;
  readonly album: string | undefined;
  readonly isCompilation: boolean;
  readonly hasNumber: boolean;
}

type Position = Pick<TrackName, 'disc' | 'track'>;

const position = /^(?:(\d{1,2})[-.](?=\d{2}$)|(0\d)(?=\d\d$))?(\d{1,3})$/;
const positionAhead =
  /^[[(]?(?:(\d{1,2})[-.](?=\d{2}))?(\d{2,3})(?:[\])] ?(?:- )?|\. ?| ?- ?| )(?=\S)/;
const datedAlbum = /^(.*\S) [([]((?:19|20)\d\d)[)\]]$/;

/** `Title`, `Artist - Title`, `Artist - Album - 01 - Title`, `artist-title`, `Title by Artist`. */
export function readTrackName(raw: string, context: TrackContext): TrackName {
  const text = withoutNotes(readable(raw)).replace(/ -(\d{2,3})- /, ' - $1 - ');
  const joint = jointOf(raw, context);
  const parts = (joint === '_' ? raw : text)
    .split(joint === ' - ' ? / [-–—] / : joint)
    .map((part) => part.trim());
  const [first = '', ...others] = withoutYear(parts, context);
  if (others.length === 0) return bracketed(text, context) ?? splitBy(text, context);
  const guests = withGuests(first, context.artist);
  const isAlbumArtist = guests !== undefined || isSame(first, context.artist);
  const mayBeArtist = context.artist === undefined || context.isCompilation;
  if (!isAlbumArtist && isAlbum(first, context))
    return behindAlbum(others, joint, context) ?? { title: text };
  if (!isAlbumArtist && !(mayBeArtist && first !== '')) return { title: text };
  const artist = guests ?? (isAlbumArtist ? (context.artist ?? first) : first);
  if (others.length > 1 && isAlbum(others[0] ?? '', context)) others.shift();
  const named = context.album === undefined ? withAlbum(others, joint, context) : undefined;
  if (named !== undefined) return { ...named, artist };
  const rest = isAlbumArtist ? behindAlbum(others, joint, context) : behindNumber(others, joint);
  if (rest !== undefined) return { ...rest, artist };
  const title = others.join(joint);
  return title === '' ? { title: text } : { title, artist };
}

const notes =
  /[ ]*[([](?:official(?: (?:music|lyrics?|audio|hd|4k))*(?: (?:video|audio|visuali[sz]er))?|lyrics?(?: video)?|audio|\d{2,3} ?kbps|hq|hd|explicit)[)\]]$/i;
const videoId = / \[(?=[^\]]*[A-Z\d])(?=[^\]]*[a-z])[\w-]{11}\]$/;

/** The name without `(Official Video)` and `[320 kbps]` at its end. */
function withoutNotes(text: string): string {
  const bare =
    text.endsWith(')') || text.endsWith(']') ? text.replace(notes, '').replace(videoId, '') : text;
  return bare === '' ? text : bare;
}

/** `[Artist] Title` in the folder of the artist. */
function bracketed(text: string, { artist }: TrackContext): TrackName | undefined {
  const match = /^[[(]([^\][()]{1,80})[\])] ?(?=\S)/.exec(text);
  if (match === null || artist === undefined || !isSame(match[1] ?? '', artist)) return undefined;
  return { title: text.slice(match[0].length), artist };
}

/** `Artist - 2001 - Album - 03 - Title`: without the year in front of the album. */
function withoutYear(parts: readonly string[], context: TrackContext): readonly string[] {
  const at = parts.findIndex(
    (part, index) => /^(?:19|20)\d\d$/.test(part) && isAlbum(parts[index + 1] ?? '', context),
  );
  return at < 0 ? parts : parts.toSpliced(at, 1);
}

/** `Artist feat. Other`, `Artist & Other`: the artist of the album with others. */
function withGuests(first: string, artist: string | undefined): string | undefined {
  if (artist === undefined || !first.toLowerCase().startsWith(artist.toLowerCase()))
    return undefined;
  const behind = first.slice(artist.length);
  return /^(?: (?:feat\.?|ft\.?|featuring|with|&|and|x|vs\.?|meets|\+) |, ?)\p{L}/iu.test(behind)
    ? first
    : undefined;
}

/** `Album`, `Album (1999)`: the name of the folder again. */
function isAlbum(text: string, { album }: TrackContext): boolean {
  return isSame(text, album) || isSame(datedAlbum.exec(text)?.[1] ?? '', album);
}

/** `Album (1999) - 03 - Title`, behind an artist that no folder names. */
function withAlbum(
  others: readonly string[],
  joint: string,
  context: TrackContext,
): TrackName | undefined {
  const [written = '', ...rest] = others;
  const named = rest.length === 1 ? behindAlbum(rest, joint, context) : behindNumber(rest, joint);
  if (named === undefined) return undefined;
  const dated = datedAlbum.exec(written);
  const year = dated === null ? {} : { year: Number(dated[2]) };
  return { ...named, album: dated?.[1] ?? written, ...year };
}

/** `03 - Title`, `1-03 - Title`. */
function behindNumber(parts: readonly string[], joint: string): TrackName | undefined {
  const [number = '', ...rest] = parts;
  const place = rest.length === 0 ? undefined : positionOf(number);
  return place === undefined ? undefined : { title: rest.join(joint), ...place };
}

/** The same, also `03 Title` and `[Album #03] - Title`, behind the names of artist or album. */
function behindAlbum(
  parts: readonly string[],
  joint: string,
  { hasNumber }: TrackContext,
): TrackName | undefined {
  const numbered = behindNumber(parts, joint);
  if (numbered !== undefined) return numbered;
  const text = parts.join(joint);
  const ahead = positionAhead.exec(text);
  if (ahead !== null && !hasNumber)
    return { title: text.slice(ahead[0].length), ...place(ahead[1], ahead[2]) };
  const listed = /^[[(][^\][()]{0,80}#?(\d{2})[\])]$/.exec(parts[0] ?? '');
  if (listed === null || parts.length < 2) return undefined;
  return { title: parts.slice(1).join(joint), track: Number(listed[1]) };
}

function positionOf(text: string): Position | undefined {
  const match = position.exec(text);
  return match === null ? undefined : place(match[1] ?? match[2], match[3]);
}

function place(disc: string | undefined, track: string | undefined): Position {
  return { track: Number(track), ...(disc === undefined ? {} : { disc: Number(disc) }) };
}

/** What joins the parts: dashes or underscores without spaces, as in `01-artist-title`, or ` - `. */
function jointOf(raw: string, { artist, isCompilation, hasNumber }: TrackContext): string {
  if (/ [-–—] /.test(raw)) return ' - ';
  const under = artist === undefined ? -1 : raw.indexOf('_', artist.length);
  if (
    under > 0 &&
    artist?.includes(' ') === true &&
    isSame(raw.slice(0, under), artist) &&
    raw.startsWith(artist)
  )
    return '_';
  const at = raw.indexOf('-');
  if (at < 0) return ' - ';
  if (artist !== undefined) return isSame(raw.slice(0, at), artist) ? '-' : ' - ';
  if (/\s/.test(raw)) return ' - ';
  const hasOne = !raw.includes('-', at + 1);
  const isJoined = hasNumber ? isCompilation || hasOne : hasOne && raw.includes('_');
  return isJoined ? '-' : ' - ';
}

/** `Song One by The Artist`, where no folder says more. */
function splitBy(text: string, { artist: known, hasNumber }: TrackContext): TrackName {
  const at = text.lastIndexOf(' by ');
  if (at < 0 || hasNumber || known !== undefined) return { title: text };
  const [title, artist] = [text.slice(0, at).trim(), text.slice(at + 4).trim()];
  return title.includes(' ') && artist.includes(' ') ? { title, artist } : { title: text };
}

function isSame(text: string, known: string | undefined): boolean {
  if (known === undefined || text === '') return false;
  if (text === known || foldTitle(text) === foldTitle(known)) return true;
  const [last = '', first] = known.split(', ');
  return first !== undefined && foldTitle(text) === foldTitle(`${first} ${last}`);
}
