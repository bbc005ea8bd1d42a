/**
 * MP4, MOV, M4A, M4B and related formats. Only the index (`moov`) is read, and of its tables only
 * the heads: a film of many gigabytes costs a few blocks, wherever its index is.
 */
import { language } from '../../../media-headers/language.ts';
import { u32, u64, u8 } from '../../../media-headers/bytes/numbers.ts';
import { malformed, truncated } from '../../../media-headers/bytes/probe-error.ts';
import { ascii } from '../../../media-headers/bytes/text.ts';
import { hasDynamicMetadata } from '../../../media-headers/codecs/hevc.ts';
import { readUpTo } from '../../../media-headers/bytes/byte-source.ts';
import type { FormatReader, FoundMedia, MediaSource, StreamDraft } from '../../media.ts';
import {
  contentOf,
  findBox,
  readBox,
  readBoxes,
  type Box,
} from '../../../media-headers/mp4/boxes.ts';
import { readFragmentedDuration } from './fragments.ts';
import { readItemList } from './item-list.ts';
import { readNeroChapters, readTextChapters } from './mp4-chapters.ts';
import { readTrack, type Track } from './track.ts';

const mostTopBoxes = 2000;

export const readMp4: FormatReader = async (source) => {
  const top = await readTop(source);
  const movie = top.find((box) => box.type === 'moov');
  if (movie === undefined) throw noIndex(top);
  const boxes = await readBoxes(source, movie.from, movie.end);
  const header = readDuration(await contentOfFirst(source, boxes, 'mvhd'));
  const tracks = await readTracks(source, boxes, header.scale);
  const duration = await durationOf(source, { top, boxes, tracks, header });
  const userData = findBox(boxes, 'udta');
  const inUserData = userData === undefined ? [] : await readScraps(source, userData);
  const { tags, pictures } = await readItemList(source, [...inUserData, ...boxes]);
  const chapters =
    (await readNeroChapters(source, inUserData)) ?? (await readTextChapters(source, tracks));
  return {
    container: containerOf(await brandOf(source, top)),
    duration,
    streams: await withDynamicMetadata(source, top, streamsOf(tracks)),
    chapters,
    tags,
    pictures,
  } satisfies FoundMedia;
};

/** Boxes of the file up to its index and, for fragments, their map. */
async function readTop(source: MediaSource): Promise<readonly Box[]> {
  const boxes: Box[] = [];
  for (let at = 0; at + 8 <= source.size && boxes.length < mostTopBoxes;) {
    const box = await readBox(source, at, source.size);
    if (box === undefined) break;
    if (box.end > source.size) {
      if (box.type === 'mdat' || box.type === 'moov') {
        throw truncated(
          `The file ends inside of "${box.type}": ${lacking(box, source)} are missing.`,
        );
      }
      break;
    }
    boxes.push(box);
    if (box.type === 'moof' && boxes.some(({ type }) => type === 'moov')) break;
    at = box.end;
  }
  return boxes;
}

function lacking(box: Box, source: MediaSource): string {
  return `${box.end - source.size} bytes`;
}

function noIndex(top: readonly Box[]): Error {
  const names = top.map(({ type }) => type);
  if (!names.includes('ftyp') && !names.includes('mdat')) {
    return malformed('The file begins as an MP4 does and is not an MP4.');
  }
  return truncated('The file has no index ("moov"); it was cut off or never finished.');
}

/** A list whose last box may be invalid, as in user data of old cameras. */
async function readScraps(source: MediaSource, box: Box): Promise<readonly Box[]> {
  try {
    return await readBoxes(source, box.from, box.end);
  } catch {
    return [];
  }
}

async function contentOfFirst(
  source: MediaSource,
  boxes: readonly Box[],
  type: string,
): Promise<Uint8Array | undefined> {
  const box = findBox(boxes, type);
  return box && contentOf(source, box);
}

/** `mvhd`: version, times, scale, duration. */
function readDuration(header: Uint8Array | undefined): { scale: number; duration: number } {
  if (header === undefined) return { scale: 1, duration: 0 };
  const isLong = u8(header, 0) === 1;
  return {
    scale: u32(header, isLong ? 20 : 12),
    duration: isLong ? u64(header, 24) : u32(header, 16),
  };
}

async function durationOf(
  source: MediaSource,
  known: {
    readonly top: readonly Box[];
    readonly boxes: readonly Box[];
    readonly tracks: readonly Track[];
    readonly header: { readonly scale: number; readonly duration: number };
  },
): Promise<number | undefined> {
  const { header, tracks } = known;
  const isOpen = header.duration >= 0xffffffff || header.scale === 0;
  if (header.duration > 0 && !isOpen) return header.duration / header.scale;
  const longest = Math.max(0, ...tracks.map((track) => track.duration ?? 0));
  if (longest > 0) return longest;
  return readFragmentedDuration(source, known.top, known.boxes, tracks, header.scale);
}

function streamsOf(tracks: readonly Track[]): readonly StreamDraft[] {
  return shownTracks(tracks).map(({ stream }) => ({
    ...stream,
    language: language(stream.language),
  }));
}

/** The tracks that are streams, without titles of chapters and time codes. */
function shownTracks(tracks: readonly Track[]): readonly Track[] {
  const chapterIds = new Set(tracks.flatMap((track) => track.chapterTracks));
  return tracks.filter(({ id, stream: { kind, codec } }) => {
    const isTitles = chapterIds.has(id) && kind !== 'video' && kind !== 'audio';
    return !isTitles && codec !== 'timecode';
  });
}

/** The tracks of a file, in the order of the streams that a probe reports. */
export async function readMp4Tracks(source: MediaSource): Promise<readonly Track[]> {
  const top = await readTop(source);
  const movie = top.find((box) => box.type === 'moov');
  if (movie === undefined) throw noIndex(top);
  const boxes = await readBoxes(source, movie.from, movie.end);
  const { scale } = readDuration(await contentOfFirst(source, boxes, 'mvhd'));
  return shownTracks(await readTracks(source, boxes, scale));
}

async function readTracks(
  source: MediaSource,
  boxes: readonly Box[],
  movieScale: number,
): Promise<readonly Track[]> {
  const tracks: Track[] = [];
  for (const box of boxes) {
    if (box.type === 'trak') tracks.push(await readTrack(source, box, movieScale));
  }
  return tracks;
}

/** Only the frames have HDR10+; the first ones are read when they are near. */
async function withDynamicMetadata(
  source: MediaSource,
  top: readonly Box[],
  streams: readonly StreamDraft[],
): Promise<readonly StreamDraft[]> {
  const isCandidate = (stream: StreamDraft) => stream.codec === 'hevc' && stream.hdr === 'hdr10';
  const media = top.find((box) => box.type === 'mdat');
  if (media === undefined || !streams.some(isCandidate)) return streams;
  const frames = await readUpTo(source, media.from, 32 * 1024);
  if (!hasDynamicMetadata(frames)) return streams;
  return streams.map((stream) =>
    isCandidate(stream) ? { ...stream, hdr: 'hdr10plus' as const } : stream,
  );
}

async function brandOf(source: MediaSource, top: readonly Box[]): Promise<string> {
  const box = findBox(top, 'ftyp');
  return box === undefined ? 'qt  ' : ascii(await contentOf(source, box, 4), 0, 4);
}

function containerOf(brand: string): string {
  return brand === 'qt  ' ? 'mov' : 'mp4';
}
