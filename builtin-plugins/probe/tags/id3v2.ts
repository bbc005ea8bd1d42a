/**
 * ID3v2 in all three versions. Frames are walked in the file, so a large picture is skipped; only a
 * tag with unsynchronization as a whole (rare) is read completely.
 */
import { u16, u24, u32, u8 } from '../../media-headers/bytes/numbers.ts';
import { ascii, latin1, utf16, utf8 } from '../../media-headers/bytes/text.ts';
import { memorySource, readUpTo, type ByteSource } from '../../media-headers/bytes/byte-source.ts';
import {
  pictureRole,
  pictureType,
  pictureTypeNamed,
} from '../../media-headers/bytes/picture-type.ts';
import { decodeAlone, decodeTogether } from '../../media-headers/charsets/decode-text.ts';
import { inflate } from '../../media-headers/bytes/inflate.ts';
import type { FoundChapter, FoundPicture, TagsDraft } from '../media.ts';
import { genresIn } from './genres.ts';
import { setTag } from './known-tags.ts';
import { readSyncedLyrics } from './synced-lyrics.ts';

export interface Id3 {
  /** Bytes of the whole tag; 0 when there is none. */
  readonly length: number;
  readonly tags: TagsDraft;
  readonly pictures: readonly FoundPicture[];
  readonly chapters: readonly FoundChapter[];
}

const mostFrames = 2000;
const textBytes = 64 * 1024;
const wholeBytes = 512 * 1024;
const pictureBytes = 8 * 1024 * 1024;

/** Text frames and their names in other formats; three letters in version 2.2. */
const names = new Map(
  Object.entries({
    TIT2: 'title',
    TT2: 'title',
    TSOT: 'titlesort',
    TST: 'titlesort',
    TPE1: 'artist',
    TP1: 'artist',
    TPE2: 'albumartist',
    TP2: 'albumartist',
    TALB: 'album',
    TAL: 'album',
    TRCK: 'track',
    TRK: 'track',
    TPOS: 'disc',
    TPA: 'disc',
    TDRC: 'date',
    TDRL: 'date',
    TYER: 'date',
    TYE: 'date',
    TCON: 'genre',
    TCO: 'genre',
    TCOM: 'composer',
    TCM: 'composer',
    TCMP: 'compilation',
    TCP: 'compilation',
    TPUB: 'publisher',
    TPB: 'publisher',
    TLAN: 'language',
    TLA: 'language',
    TSRC: 'isrc',
    MVNM: 'series',
    MVIN: 'seriespart',
  }),
);

interface Version {
  readonly number: 2 | 3 | 4;
  readonly isUnsynchronised: boolean;
}

interface Frame {
  readonly id: string;
  readonly flags: number;
  readonly from: number;
  readonly length: number;
}

/** The tag at a place of the file. */
export async function readId3(source: ByteSource, at = 0): Promise<Id3> {
  const nothing = { tags: {}, pictures: [], chapters: [] };
  const head = await readUpTo(source, at, 10);
  if (head.length < 10 || ascii(head, 0, 3) !== 'ID3') return { ...nothing, length: 0 };
  const number = u8(head, 3);
  const flags = u8(head, 5);
  const size = syncSafe(head, 6);
  const length = size + 10 + (number === 4 && (flags & 0x10) !== 0 ? 10 : 0);
  if (number !== 2 && number !== 3 && number !== 4) return { ...nothing, length };
  const version: Version = { number, isUnsynchronised: (flags & 0x80) !== 0 };
  const end = Math.min(at + 10 + size, source.size);
  const tag = { source, from: at + 10, end };
  const isWhole = version.isUnsynchronised && number < 4;
  try {
    const body = isWhole ? await resynchronised(tag) : tag;
    return { ...(await readFrames(body, version, (flags & 0x40) !== 0)), length };
  } catch {
    return { ...nothing, length };
  }
}

interface Stretch {
  readonly source: ByteSource;
  readonly from: number;
  readonly end: number;
}

async function resynchronised({ source, from, end }: Stretch): Promise<Stretch> {
  const bytes = withoutFalseSyncs(await source.read(from, Math.min(end - from, wholeBytes)));
  return { source: memorySource(bytes), from: 0, end: bytes.length };
}

async function readFrames(
  { source, from, end }: Stretch,
  version: Version,
  hasExtension: boolean,
): Promise<Omit<Id3, 'length'>> {
  const tags: TagsDraft = {};
  const pictures: FoundPicture[] = [];
  const chapters: FoundChapter[] = [];
  const texts: { readonly id: string; readonly content: Uint8Array }[] = [];
  let day = '';
  let at = from;
  if (hasExtension && version.number > 2) {
    const head = await source.read(at, 4);
    at += version.number === 4 ? syncSafe(head, 0) : u32(head, 0) + 4;
  }
  for (let count = 0; count < mostFrames; count++) {
    const frame = await readFrame(source, at, end, version);
    if (frame === undefined) break;
    const { id } = frame;
    if (id === 'APIC' || id === 'PIC') {
      const picture = await readPicture(source, frame, version);
      if (picture !== undefined) pictures.push(picture);
    } else if (id === 'CHAP') {
      const chapter = await readChapter(source, frame, version);
      if (chapter !== undefined) chapters.push(chapter);
    } else if (id === 'TDAT' || id === 'TDA') {
      day = textOf(await contentOf(source, frame, version, 64), decodeAlone);
    } else if (id === 'SYLT' || id === 'SLT') {
      const content = await contentOf(source, frame, version, textBytes);
      tags.syncedLyrics ??= readSyncedLyrics(content);
    } else if (isWanted(id)) {
      texts.push({ id, content: await contentOf(source, frame, version, textBytes) });
    }
    at = frame.from + frame.length;
  }
  const old = decodeTogether(texts.filter(isOldText).map(({ content }) => content.subarray(1)));
  for (const { id, content } of texts) setFrame(tags, id, { content, old });
  completeDate(tags, day);
  return {
    tags,
    pictures,
    chapters: chapters.sort((one, other) => one.startTime - other.startTime),
  };
}

/** Before version 2.4 the day was separate from the year, as DDMM. */
function completeDate(tags: TagsDraft, day: string): void {
  const match = /^(\d{2})(\d{2})/.exec(day);
  if (match === null || tags.date?.length !== 4) return;
  setTag(tags, 'date', `${tags.date}-${match[2] ?? ''}-${match[1] ?? ''}`);
}

async function readFrame(
  source: ByteSource,
  at: number,
  end: number,
  { number }: Version,
): Promise<Frame | undefined> {
  const headLength = number === 2 ? 6 : 10;
  if (at + headLength > end) return undefined;
  const head = await source.read(at, headLength);
  const id = ascii(head, 0, number === 2 ? 3 : 4);
  if (!/^[A-Z0-9 ]+$/.test(id)) return undefined;
  const from = at + headLength;
  if (number === 2) return fitting({ id, flags: 0, from, length: u24(head, 3) }, end);
  const plain = u32(head, 4);
  const flags = u16(head, 8);
  if (number === 3) return fitting({ id, flags, from, length: plain }, end);
  const length = syncSafe(head, 4);
  // Some programs write plain lengths where the format has seven bits a byte.
  const isSafe = (plain & 0x80808080) === 0;
  const isFollowed = length === plain || (await beginsFrame(source, from + length, end));
  return fitting({ id, flags, from, length: isSafe && isFollowed ? length : plain }, end);
}

function fitting(frame: Frame, end: number): Frame | undefined {
  return frame.from + frame.length <= end ? frame : undefined;
}

async function beginsFrame(source: ByteSource, at: number, end: number): Promise<boolean> {
  if (at === end) return true;
  if (at + 4 > end) return at < end;
  const next = ascii(await source.read(at, 4), 0, 4);
  return /^([A-Z0-9]{4}|\0\0\0\0)$/.test(next);
}

function isWanted(id: string): boolean {
  return names.has(id) || /^(TXXX?|COMM?|USLT|ULT|UFID|UFI)$/.test(id);
}

/** The content of a frame, after undoing what its flags say. */
async function contentOf(
  source: ByteSource,
  { flags, from, length }: Frame,
  { number, isUnsynchronised }: Version,
  atMost: number,
): Promise<Uint8Array> {
  let content = await source.read(from, Math.min(length, atMost));
  if (number === 3) {
    if ((flags & 0x40) !== 0) return new Uint8Array(0);
    if ((flags & 0x80) !== 0) return inflate(content.subarray(4), atMost, 'zlib');
    return (flags & 0x20) !== 0 ? content.subarray(1) : content;
  }
  if (number === 2) return content;
  if ((flags & 0x04) !== 0) return new Uint8Array(0);
  if ((flags & 0x40) !== 0) content = content.subarray(1);
  if ((flags & 0x01) !== 0) content = content.subarray(4);
  if ((flags & 0x02) !== 0 || isUnsynchronised) content = withoutFalseSyncs(content);
  return (flags & 0x08) !== 0 ? inflate(content, atMost, 'zlib') : content;
}

/** Decodes text that is declared as Latin-1: often it is in UTF-8 or in the encoding of a country. */
type DecodeOld = (bytes: Uint8Array) => string;

const isOldText = ({ id, content: [encoding] }: { id: string; content: Uint8Array }): boolean =>
  encoding === 0 && id !== 'UFID' && id !== 'UFI';

function setFrame(
  tags: TagsDraft,
  id: string,
  { content, old }: { readonly content: Uint8Array; readonly old: DecodeOld },
): void {
  if (content.length < 2) return;
  const known = names.get(id);
  if (known !== undefined) {
    const value = textOf(content, old);
    setTag(tags, known, known === 'genre' ? genresIn(value) : value);
    return;
  }
  if (id === 'UFID' || id === 'UFI') {
    const end = content.indexOf(0);
    const owner = ascii(content, 0, Math.max(0, end));
    if (owner === 'http://musicbrainz.org') {
      setTag(tags, 'musicbrainztrackid', ascii(content, end + 1, 64));
    }
    return;
  }
  if (id === 'TXXX' || id === 'TXX') {
    const [name = '', ...values] = textOf(content, old).split('\0');
    setTag(tags, name, values.join('\0'));
    return;
  }
  // A language of three letters and a description come before comments and lyrics.
  const encoding = u8(content, 0);
  const words = decode(encoding, content.subarray(4), old).split('\0');
  const isNamed = (words[0] ?? '') !== '' && words.length > 1;
  if (id.startsWith('U')) setTag(tags, 'lyrics', words.slice(1).join('\n'));
  else if (!isNamed) setTag(tags, 'comment', words.slice(1).join('\n'));
}

const textOf = (content: Uint8Array, old: DecodeOld): string =>
  decode(u8(content, 0), content.subarray(1), old);

function decode(encoding: number, bytes: Uint8Array, old: DecodeOld): string {
  switch (encoding) {
    case 1:
      return splitUtf16(bytes);
    case 2:
      return utf16(bytes, 'be');
    case 3:
      return utf8(bytes);
    default:
      return old(bytes);
  }
}

/** Each part of several may have a byte order mark of its own. */
function splitUtf16(bytes: Uint8Array): string {
  const isBig = bytes[0] === 0xfe && bytes[1] === 0xff;
  return utf16(bytes, isBig ? 'be' : 'le').replaceAll('\ufeff', '');
}

async function readPicture(
  source: ByteSource,
  frame: Frame,
  version: Version,
): Promise<FoundPicture | undefined> {
  const head = await contentOf(
    source,
    { ...frame, length: Math.min(frame.length, 1024) },
    version,
    1024,
  ).catch(() => new Uint8Array(0));
  if (head.length < 8) return undefined;
  const encoding = u8(head, 0);
  const typeEnd = version.number === 2 ? 4 : head.indexOf(0, 1) + 1;
  if (typeEnd === 0) return undefined;
  const named = latin1(head.subarray(1, version.number === 2 ? 4 : typeEnd - 1));
  if (named === '-->') return undefined;
  const from = afterText(head, typeEnd + 1, encoding);
  if (from === undefined) return undefined;
  return {
    type: pictureRole(u8(head, typeEnd)),
    mimeType: pictureType(head.subarray(from)) ?? pictureTypeNamed(named),
    size: frame.length - from,
    load: async () => (await contentOf(source, frame, version, pictureBytes)).subarray(from),
  };
}

/** The text after the zero (two of them in UTF-16). */
function afterText(bytes: Uint8Array, from: number, encoding: number): number | undefined {
  const isWide = encoding === 1 || encoding === 2;
  for (let at = from; at + (isWide ? 1 : 0) < bytes.length; at += isWide ? 2 : 1) {
    if (bytes[at] === 0 && (!isWide || bytes[at + 1] === 0)) return at + (isWide ? 2 : 1);
  }
  return undefined;
}

async function readChapter(
  source: ByteSource,
  frame: Frame,
  version: Version,
): Promise<FoundChapter | undefined> {
  const content = await contentOf(source, frame, version, 4096);
  const from = content.indexOf(0) + 1;
  if (from === 0 || from + 16 > content.length) return undefined;
  const inner = memorySource(content);
  const title = await readFrame(inner, from + 16, content.length, version);
  return {
    startTime: u32(content, from) / 1000,
    endTime: u32(content, from + 4) / 1000,
    title:
      title?.id === 'TIT2'
        ? textOf(content.subarray(title.from), decodeAlone).split('\0')[0]
        : undefined,
  };
}

function syncSafe(bytes: Uint8Array, at: number): number {
  return (
    ((u8(bytes, at) & 127) << 21) |
    ((u8(bytes, at + 1) & 127) << 14) |
    ((u8(bytes, at + 2) & 127) << 7) |
    (u8(bytes, at + 3) & 127)
  );
}

/** A zero follows each 0xff that could be taken for the start of sound. */
function withoutFalseSyncs(bytes: Uint8Array): Uint8Array {
  const plain = new Uint8Array(bytes.length);
  let length = 0;
  for (let at = 0; at < bytes.length; at++) {
    plain[length++] = bytes[at] ?? 0;
    if (bytes[at] === 0xff && bytes[at + 1] === 0) at++;
  }
  return plain.subarray(0, length);
}
