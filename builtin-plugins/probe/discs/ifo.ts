/**
 * The IFO file of a title set of a DVD: its longest title, with chapters, and what the streams are.
 * All numbers are untrusted: offsets are checked where they are read, and loops end with the tables.
 */
import type { ByteSource } from '../../media-headers/bytes/byte-source.ts';
import { slice, u16, u32, u8 } from '../../media-headers/bytes/numbers.ts';
import { malformed } from '../../media-headers/bytes/probe-error.ts';
import { ascii } from '../../media-headers/bytes/text.ts';
import { language } from '../../media-headers/language.ts';
import type { StreamDraft } from '../../media-headers/stream-draft.ts';

/** Bytes of a sector, in which discs count. */
export const sectorBytes = 2048;

/** What a disc says of a stream, by the id of its packets. */
export type StreamFacts = ReadonlyMap<
  number,
  Pick<StreamDraft, 'kind' | 'codec' | 'language' | 'title' | 'isForced' | 'isHearingImpaired'>
>;

/** A stretch of a title: where its pictures are, and how long it is. */
export interface Cell {
  /** Sectors of the title set, from the start of its first VOB. */
  readonly first: number;
  readonly last: number;
  /** Seconds from the start of the title. */
  readonly start: number;
  readonly seconds: number;
}

/** The longest title of a title set. */
export interface DvdTitle {
  readonly seconds: number;
  /** In the order of the title. */
  readonly cells: readonly Cell[];
  /** The cells with which chapters begin. */
  readonly chapters: readonly Cell[];
  readonly streams: StreamFacts;
}

const longestTable = 256 * 1024;
const mostChains = 1000;
const mostAudio = 8;
const mostSubtitles = 32;

/** Reads a title set whose VOBs have this many sectors together. Throws an error about the file. */
export async function readTitleSet(ifo: ByteSource, sectors: number): Promise<DvdTitle> {
  const head = await ifo.read(0, sectorBytes);
  if (ascii(head, 0, 12) !== 'DVDVIDEO-VTS') throw malformed('It does not begin as an IFO does.');
  const at = u32(head, 0xcc) * sectorBytes;
  if (at === 0) throw malformed('It has no titles.');
  const end = u32(await ifo.read(at, 8), 4) + 1;
  const table = await ifo.read(at, Math.min(end, longestTable, Math.max(0, ifo.size - at)));
  let longest: Chain | undefined;
  for (const chain of chainsIn(table, sectors))
    if (longest === undefined || chain.seconds > longest.seconds) longest = chain;
  if (longest === undefined) throw malformed('None of its titles can be played.');
  const { seconds, cells, chapters } = longest;
  return { seconds, cells, chapters, streams: streamsIn(head, longest.control) };
}

interface Chain extends Pick<DvdTitle, 'seconds' | 'cells' | 'chapters'> {
  /** Which streams of the VOBs are those of the title. */
  readonly control: Uint8Array;
}

/** The titles in the table that have pictures in the VOBs. */
function chainsIn(table: Uint8Array, sectors: number): readonly Chain[] {
  const count = Math.min(u16(table, 0), mostChains);
  const chains: Chain[] = [];
  for (let index = 0; index < count && 16 + index * 8 <= table.length; index += 1) {
    try {
      const chain = readChain(table.subarray(u32(table, 12 + index * 8)), sectors);
      if (chain.seconds > 0) chains.push(chain);
    } catch {
      // One broken title leaves the others.
    }
  }
  return chains;
}

function readChain(bytes: Uint8Array, sectors: number): Chain {
  const [programs, count] = [u8(bytes, 2), u8(bytes, 3)];
  const [mapAt, cellsAt] = [u16(bytes, 0xe6), u16(bytes, 0xe8)];
  const all: (Cell | undefined)[] = [];
  const seen = new Set<number>();
  let start = 0;
  for (let index = 0; index < count; index += 1) {
    const cell = readCell(slice(bytes, cellsAt + index * 24, 24), start);
    // A cell that is played again, another angle, or one beyond the VOBs adds nothing.
    const isKnown = seen.has(cell.first) || cell.isOtherAngle;
    const isThere = cell.first <= cell.last && cell.last < sectors;
    all.push(isKnown || !isThere ? undefined : cell);
    if (isKnown || !isThere) continue;
    seen.add(cell.first);
    start += cell.seconds;
  }
  const chapters = new Set<Cell>();
  for (let index = 0; index < programs; index += 1) {
    const cell = all[u8(bytes, mapAt + index) - 1];
    if (cell !== undefined) chapters.add(cell);
  }
  return {
    seconds: start,
    cells: all.filter((cell) => cell !== undefined),
    chapters: [...chapters],
    control: slice(bytes, 0x0c, mostAudio * 2 + mostSubtitles * 4),
  };
}

function readCell(bytes: Uint8Array, start: number): Cell & { readonly isOtherAngle: boolean } {
  const block = u8(bytes, 0) >> 6;
  return {
    first: u32(bytes, 8),
    last: u32(bytes, 20),
    start,
    seconds: readTime(bytes, 4),
    isOtherAngle: block > 1,
  };
}

/** Hours, minutes, seconds and pictures, two decimal digits each. */
function readTime(bytes: Uint8Array, at: number): number {
  const digits = (value: number): number => {
    if (value >> 4 > 9 || (value & 15) > 9) throw malformed('A time of a title is invalid.');
    return (value >> 4) * 10 + (value & 15);
  };
  const pictures = u8(bytes, at + 3);
  const rate = pictures >> 6 === 1 ? 25 : 30_000 / 1001;
  const whole = digits(u8(bytes, at)) * 3600 + digits(u8(bytes, at + 1)) * 60;
  return whole + digits(u8(bytes, at + 2)) + digits(pictures & 0x3f) / rate;
}

/** Ids of the first stream of each coding, and its name. */
const soundCodings: Readonly<Record<number, readonly [number, string]>> = {
  0: [0xbd80, 'ac3'],
  2: [0xc0, 'mp2'],
  3: [0xc0, 'mp2'],
  4: [0xbda0, 'pcm_dvd'],
  6: [0xbd88, 'dts'],
};

function streamsIn(head: Uint8Array, control: Uint8Array): StreamFacts {
  const streams = new Map<number, StreamDraft>();
  for (let index = 0; index < Math.min(u16(head, 0x202), mostAudio); index += 1) {
    const facts = slice(head, 0x204 + index * 8, 8);
    const coding = soundCodings[u8(facts, 0) >> 5];
    const use = u8(control, index * 2);
    if (coding === undefined) continue;
    const id = coding[0] + ((use & 0x80) === 0 ? index : use & 7);
    streams.set(id, { kind: 'audio', codec: coding[1], ...spoken(facts), ...soundUse(facts) });
  }
  const isWide = ((u8(head, 0x200) >> 2) & 3) === 3;
  for (let index = 0; index < Math.min(u16(head, 0x254), mostSubtitles); index += 1) {
    const facts = slice(head, 0x256 + index * 6, 6);
    const uses = slice(control, mostAudio * 2 + index * 4, 4);
    const number = (u8(uses, 0) & 0x80) === 0 ? index : u8(uses, isWide ? 1 : 0) & 31;
    const stream = { kind: 'subtitle', codec: 'dvd_subtitle', ...spoken(facts) } as const;
    streams.set(0xbd20 + number, { ...stream, ...subtitleUse(u8(facts, 5)) });
  }
  return streams;
}

function spoken(facts: Uint8Array): Pick<StreamDraft, 'language'> {
  const code = ascii(facts, 2, 2);
  return { language: /^[a-z]{2}$/i.test(code) ? language(code.toLowerCase()) : undefined };
}

const soundUse = (facts: Uint8Array): Pick<StreamDraft, 'title'> =>
  u8(facts, 5) === 3 || u8(facts, 5) === 4 ? { title: 'Commentary' } : {};

function subtitleUse(code: number): Pick<StreamDraft, 'title' | 'isForced' | 'isHearingImpaired'> {
  if (code >= 5 && code <= 7) return { isHearingImpaired: true };
  if (code === 9) return { isForced: true };
  return code >= 13 && code <= 15 ? { title: 'Commentary' } : {};
}
