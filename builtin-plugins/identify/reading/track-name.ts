import { foldTitle } from './characters.ts';
import { readable } from './title-text.ts';

/** What a name says of a track after the number in front. */
export interface TrackName {
  readonly title: string;
  readonly artist?: string;
  readonly album?: string;
  readonly track?: number;
}

/** Context of the name. */
export interface TrackContext {
  /** Of the album's folder; undefined when it is unknown, and for a compilation. */
  readonly artist: string | undefined;
  readonly album: string | undefined;
  readonly isCompilation: boolean;
  readonly hasNumber: boolean;
}

const onlyNumber = /^\d{1,3}$/;

/** `Title`, `Artist - Title`, `Artist - Album - 01 - Title`, `artist-title`, `Title by Artist`. */
export function readTrackName(raw: string, context: TrackContext): TrackName {
  const text = readable(raw);
  const isDashed = joinsByDash(raw, context);
  const joint = isDashed ? '-' : ' - ';
  const [first = '', ...others] = text.split(isDashed ? '-' : / [-–—] /).map((part) => part.trim());
  if (others.length === 0) return splitBy(text, context);
  const isAlbumArtist = isSame(first, context.artist);
  const mayBeArtist = context.artist === undefined || context.isCompilation;
  if (!isAlbumArtist && !(mayBeArtist && first !== '')) return { title: text };
  const artist = isAlbumArtist ? (context.artist ?? first) : first;
  if (others.length > 1 && isSame(others[0] ?? '', context.album)) others.shift();
  if (others.length > 2 && context.album === undefined && onlyNumber.test(others[1] ?? '')) {
    const [album = '', number, ...rest] = others;
    return { title: rest.join(joint), artist, album, track: Number(number) };
  }
  const track = others.length > 1 && onlyNumber.test(others[0] ?? '') ? Number(others.shift()) : 0;
  const title = others.join(joint);
  if (title === '') return { title: text };
  return track === 0 ? { title, artist } : { title, artist, track };
}

/** Dashes without spaces separate the words, as in `01-artist-title` and `Artist-Album-01-Title`. */
function joinsByDash(raw: string, { artist, isCompilation, hasNumber }: TrackContext): boolean {
  const at = raw.indexOf('-');
  if (at < 0 || raw.includes(' - ')) return false;
  if (artist !== undefined) return isSame(raw.slice(0, at), artist);
  if (/\s/.test(raw)) return false;
  const hasOne = !raw.includes('-', at + 1);
  return hasNumber ? isCompilation || hasOne : hasOne && raw.includes('_');
}

/** `Song One by The Artist`, where no folder says more. */
function splitBy(text: string, { artist: known, hasNumber }: TrackContext): TrackName {
  const at = text.lastIndexOf(' by ');
  if (at < 0 || hasNumber || known !== undefined) return { title: text };
  const [title, artist] = [text.slice(0, at).trim(), text.slice(at + 4).trim()];
  return title.includes(' ') && artist.includes(' ') ? { title, artist } : { title: text };
}

function isSame(text: string, known: string | undefined): boolean {
  return known !== undefined && (text === known || foldTitle(text) === foldTitle(known));
}
