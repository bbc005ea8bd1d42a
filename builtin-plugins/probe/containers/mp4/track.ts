/** One track of an MP4: its kind, duration and rate. */
import { i32, u16, u32, u64, u8 } from '../../../media-headers/bytes/numbers.ts';
import { ascii, untilZero, utf8 } from '../../../media-headers/bytes/text.ts';
import type { ByteSource } from '../../../media-headers/bytes/byte-source.ts';
import { frameRate } from '../../../media-headers/codecs/video-format.ts';
import type { StreamDraft } from '../../media.ts';
import { contentOf, findBox, readBoxes, type Box } from '../../../media-headers/mp4/boxes.ts';
import { readEdits, type Edit } from '../../../media-headers/mp4/edits.ts';
import { readSampleEntry } from './sample-entry.ts';

export interface Track {
  readonly id: number;
  readonly stream: StreamDraft;
  /** Ticks per second. */
  readonly scale: number;
  readonly edits: readonly Edit[];
  /** Seconds. */
  readonly duration: number | undefined;
  /** Tracks with the titles of its chapters. */
  readonly chapterTracks: readonly number[];
  /** The place of its tables. */
  readonly tables: readonly Box[];
}

const kinds = new Map<string, StreamDraft['kind']>([
  ['vide', 'video'],
  ['soun', 'audio'],
  ['text', 'subtitle'],
  ['sbtl', 'subtitle'],
  ['subt', 'subtitle'],
  ['subp', 'subtitle'],
  ['clcp', 'subtitle'],
  ['auxv', 'video'],
]);

export async function readTrack(source: ByteSource, box: Box, movieScale: number): Promise<Track> {
  const boxes = await readBoxes(source, box.from, box.end);
  const within = async (list: readonly Box[], type: string): Promise<readonly Box[]> => {
    const found = findBox(list, type);
    return found === undefined ? [] : readBoxes(source, found.from, found.end);
  };
  const content = async (list: readonly Box[], type: string, atMost?: number) => {
    const found = findBox(list, type);
    return found && contentOf(source, found, atMost);
  };
  const media = await within(boxes, 'mdia');
  const tables = await within(await within(media, 'minf'), 'stbl');
  const header = readTrackHeader(await content(boxes, 'tkhd'));
  const time = readMediaHeader(await content(media, 'mdhd'));
  const name = await content(media, 'hdlr', 256);
  const kind = kinds.get(name === undefined ? '' : ascii(name, 8, 4)) ?? 'data';
  const entry = readSampleEntry(await content(tables, 'stsd', 64 * 1024), kind);
  const long = await content(media, 'elng', 64);
  const userData = await within(boxes, 'udta').catch(() => []);
  const samples = await readSampleCount(await content(tables, 'stsz', 12), tables, source);
  const rate = rateOf(kind, time, samples, await content(tables, 'stts', 24));
  const size = header.rotation % 180 === 0 ? entry : { width: entry.height, height: entry.width };
  return {
    id: header.id,
    scale: time.scale,
    edits: readEdits(await content(await within(boxes, 'edts'), 'elst'), {
      scale: time.scale,
      movieScale,
    }),
    duration: time.duration,
    tables,
    chapterTracks: readReferences(await content(boxes, 'tref', 4096)),
    stream: {
      ...entry,
      kind,
      ...(kind === 'video' && { ...size, frameRate: rate ?? entry.frameRate }),
      rotation: kind === 'video' && header.rotation !== 0 ? header.rotation : undefined,
      language: long === undefined ? time.language : utf8(untilZero(long.subarray(4))),
      isDefault: header.isEnabled,
      title: await titleOf(source, userData, name),
      ...(await rolesOf(source, userData, entry)),
    },
  };
}

function readTrackHeader(bytes: Uint8Array | undefined): {
  readonly id: number;
  readonly isEnabled: boolean;
  readonly rotation: number;
} {
  if (bytes === undefined) return { id: 0, isEnabled: true, rotation: 0 };
  const isLong = u8(bytes, 0) === 1;
  const matrix = isLong ? 52 : 40;
  const [a, b] = [i32(bytes, matrix), i32(bytes, matrix + 4)];
  const turn = a === 0 && b === 0 ? 0 : Math.round((Math.atan2(b, a) * 180) / Math.PI / 90) * 90;
  return {
    id: u32(bytes, isLong ? 20 : 12),
    isEnabled: (u8(bytes, 3) & 1) !== 0,
    rotation: (turn + 360) % 360,
  };
}

interface MediaHeader {
  readonly scale: number;
  readonly duration: number | undefined;
  readonly language: string | undefined;
}

function readMediaHeader(bytes: Uint8Array | undefined): MediaHeader {
  if (bytes === undefined) return { scale: 0, duration: undefined, language: undefined };
  const isLong = u8(bytes, 0) === 1;
  const scale = u32(bytes, isLong ? 20 : 12);
  const ticks = isLong ? u64(bytes, 24) : u32(bytes, 16);
  const isKnown = scale > 0 && ticks > 0 && ticks < (isLong ? 2 ** 53 : 0xffffffff);
  return {
    scale,
    duration: isKnown ? ticks / scale : undefined,
    language: packedLanguage(u16(bytes, isLong ? 32 : 20)),
  };
}

/** Three letters of five bits each; smaller numbers are codes of old Macintoshes. */
function packedLanguage(code: number): string | undefined {
  if (code < 0x400 || code === 0x7fff) return code === 0 ? undefined : macLanguages[code];
  return [10, 5, 0].map((shift) => String.fromCharCode(0x60 + ((code >> shift) & 31))).join('');
}

const macLanguages =
  'en fr de it nl sv es da pt nb he ja ar fi el is mt tr hr zh ur hi th ko'.split(' ');

async function readSampleCount(
  sizes: Uint8Array | undefined,
  tables: readonly Box[],
  source: ByteSource,
): Promise<number> {
  if (sizes !== undefined) return u32(sizes, 8);
  const compact = findBox(tables, 'stz2');
  return compact === undefined ? 0 : u32(await contentOf(source, compact, 12), 8);
}

/** A single entry of the time table gives it exactly, else the count divided by the duration. */
function rateOf(
  kind: StreamDraft['kind'],
  time: MediaHeader,
  samples: number,
  times: Uint8Array | undefined,
): number | undefined {
  if (kind !== 'video' || time.scale === 0) return undefined;
  if (times !== undefined && times.length >= 16 && u32(times, 4) === 1) {
    return frameRate(time.scale / u32(times, 12));
  }
  if (time.duration === undefined || samples < 2) return undefined;
  return frameRate(samples / time.duration);
}

function readReferences(bytes: Uint8Array | undefined): readonly number[] {
  const ids: number[] = [];
  for (let at = 0; bytes !== undefined && at + 8 <= bytes.length;) {
    const size = u32(bytes, at);
    if (size < 8 || at + size > bytes.length) break;
    if (ascii(bytes, at + 4, 4) === 'chap') {
      for (let id = at + 8; id + 4 <= at + size; id += 4) ids.push(u32(bytes, id));
    }
    at += size;
  }
  return ids;
}

/** The name that a person gave; the handler's own name is that of the program that wrote it. */
async function titleOf(
  source: ByteSource,
  userData: readonly Box[],
  handler: Uint8Array | undefined,
): Promise<string | undefined> {
  const named = findBox(userData, 'name') ?? findBox(userData, 'titl');
  if (named?.type === 'name') return utf8(await contentOf(source, named, 1024));
  if (handler === undefined || handler.length < 25) return undefined;
  const text = utf8(untilZero(handler.subarray(24)));
  return /handler|^(core media|mainconcept|apple|l-smash|gpac|iso media|bento4)|^.?$/i.test(text)
    ? undefined
    : text;
}

/** The purpose of the track, by DASH roles. */
async function rolesOf(
  source: ByteSource,
  userData: readonly Box[],
  entry: { readonly isForced?: boolean | undefined },
): Promise<Pick<StreamDraft, 'isForced' | 'isHearingImpaired'>> {
  const roles = new Set<string>();
  for (const box of userData) {
    if (box.type !== 'kind') continue;
    const text = utf8((await contentOf(source, box, 512)).subarray(4));
    roles.add(text.split('\0')[1] ?? '');
  }
  return {
    isForced: roles.has('forced-subtitle') || roles.has('forced_subtitle') || entry.isForced,
    isHearingImpaired: roles.has('caption') || undefined,
  };
}
