/**
 * A playlist of a Blu-ray disc (`PLAYLIST/00800.mpls`): clips in order, with chapters. Many discs have
 * hundreds of them, to hide which one is the film, some of which repeat a clip 999 times.
 */
import { slice, u16, u32, u8 } from '../../media-headers/bytes/numbers.ts';
import { malformed } from '../../media-headers/bytes/probe-error.ts';
import { ascii } from '../../media-headers/bytes/text.ts';
import { languageIn, type Languages } from './clip-streams.ts';

/** A clip in a playlist. Times are seconds of the clock of the clip. */
export interface PlayItem {
  /** Five digits, the name of the clip. */
  readonly clip: string;
  readonly from: number;
  readonly to: number;
  readonly languages: Languages;
}

export interface Playlist {
  readonly items: readonly PlayItem[];
  /** Where chapters begin, by the clock of their clip. */
  readonly marks: readonly { readonly item: number; readonly at: number }[];
}

const clock = 45_000;
const mostItems = 5000;
const mostMarks = 5000;
const mostStreams = 200;

/** Throws an error about the file. */
export function readPlaylist(bytes: Uint8Array): Playlist {
  if (ascii(bytes, 0, 4) !== 'MPLS') throw malformed('It does not begin as a playlist does.');
  return { items: readItems(bytes, u32(bytes, 8)), marks: readMarks(bytes, u32(bytes, 12)) };
}

function readItems(bytes: Uint8Array, from: number): readonly PlayItem[] {
  const items: PlayItem[] = [];
  let at = from + 10;
  for (let count = Math.min(u16(bytes, from + 6), mostItems); count > 0; count -= 1) {
    const length = u16(bytes, at);
    items.push(readItem(slice(bytes, at + 2, length)));
    at += 2 + length;
  }
  return items;
}

function readItem(bytes: Uint8Array): PlayItem {
  const hasAngles = (u8(bytes, 10) & 0x10) !== 0;
  const angles = hasAngles ? Math.max(1, u8(bytes, 32)) : 1;
  const streamsAt = 32 + (hasAngles ? 2 + (angles - 1) * 10 : 0);
  return {
    clip: ascii(bytes, 0, 5),
    from: u32(bytes, 12) / clock,
    to: u32(bytes, 16) / clock,
    languages: readLanguages(bytes, streamsAt),
  };
}

/** The kinds of streams whose lists come first: pictures, sound, subtitles. */
function readLanguages(bytes: Uint8Array, from: number): Languages {
  const languages = new Map<number, string>();
  if (from + 16 > bytes.length) return languages;
  const streams = u8(bytes, from + 4) + u8(bytes, from + 5) + u8(bytes, from + 6);
  let at = from + 16;
  for (let index = 0; index < Math.min(streams, mostStreams); index += 1) {
    const length = u8(bytes, at);
    const entry = slice(bytes, at + 1, length);
    at += 1 + length;
    const found = languageIn(slice(bytes, at + 1, u8(bytes, at)));
    at += 1 + u8(bytes, at);
    // Other types are streams of other clips.
    if (found !== undefined && u8(entry, 0) === 1) languages.set(u16(entry, 1), found);
  }
  return languages;
}

/** Marks that are chapters. A playlist without a table of them has none. */
function readMarks(bytes: Uint8Array, from: number): Playlist['marks'] {
  if (from === 0 || from + 6 > bytes.length) return [];
  const marks: { item: number; at: number }[] = [];
  const count = Math.min(u16(bytes, from + 4), mostMarks);
  for (let at = from + 6; marks.length < count && at + 14 <= bytes.length; at += 14)
    marks.push({
      item: u8(bytes, at + 1) === 1 ? u16(bytes, at + 2) : -1,
      at: u32(bytes, at + 4) / clock,
    });
  return marks.filter(({ item }) => item >= 0);
}
