/** Chapters of an MP4: Nero's list in the user data, or QuickTime's track of titles. */
import { u16, u32, u64, u8 } from '../../bytes/numbers.ts';
import { utf16, utf8 } from '../../bytes/text.ts';
import type { ByteSource } from '../../bytes/byte-source.ts';
import type { FoundChapter, MediaSource } from '../../media.ts';
import { contentOf, findBox, type Box } from './boxes.ts';
import type { Track } from './track.ts';

const mostChapters = 2000;
const longestTitle = 512;
/** Nero's count is one byte; a full list has probably lost some. */
const neroCapacity = 255;

/** `undefined` when there is no list, or one that may be incomplete. */
export async function readNeroChapters(
  source: ByteSource,
  userData: readonly Box[],
): Promise<readonly FoundChapter[] | undefined> {
  const box = findBox(userData, 'chpl');
  if (box === undefined) return undefined;
  const bytes = await contentOf(source, box);
  const from = u8(bytes, 0) === 1 ? 8 : 4;
  const count = u8(bytes, from);
  if (count === 0 || count === neroCapacity) return undefined;
  const chapters: FoundChapter[] = [];
  for (let at = from + 1; chapters.length < count && at + 9 <= bytes.length;) {
    const length = u8(bytes, at + 8);
    const title = utf8(bytes.subarray(at + 9, at + 9 + length));
    chapters.push({ startTime: u64(bytes, at) / 1e7, title });
    at += 9 + length;
  }
  return chapters;
}

/** The titles are samples of a track, anywhere in the file: each is a separate read. */
export async function readTextChapters(
  source: MediaSource,
  tracks: readonly Track[],
): Promise<readonly FoundChapter[] | undefined> {
  const ids = tracks.flatMap((track) => track.chapterTracks);
  const track = tracks.find(({ id, stream }) => ids.includes(id) && stream.kind === 'subtitle');
  if (track === undefined || track.scale === 0) return undefined;
  const table = async (type: string): Promise<Uint8Array> => {
    const box = findBox(track.tables, type);
    return box === undefined ? new Uint8Array(8) : contentOf(source, box);
  };
  const times = readTimes(await table('stts'), track.scale);
  const places = readPlaces({
    sizes: await table('stsz'),
    chunks: await table('stsc'),
    offsets: await offsetsOf(source, track),
  }).slice(0, times.length);
  const texts = await source.readPieces(places);
  return texts.map((text, at) => ({
    startTime: times[at]?.from ?? 0,
    endTime: times[at]?.to,
    title: titleIn(text),
  }));
}

function readTimes(
  bytes: Uint8Array,
  scale: number,
): readonly { readonly from: number; readonly to: number }[] {
  const times: { from: number; to: number }[] = [];
  let ticks = 0;
  for (let at = 8; at + 8 <= bytes.length && times.length < mostChapters; at += 8) {
    const length = u32(bytes, at + 4);
    for (let left = u32(bytes, at); left > 0 && times.length < mostChapters; left--) {
      times.push({ from: ticks / scale, to: (ticks + length) / scale });
      ticks += length;
    }
  }
  return times;
}

async function offsetsOf(source: ByteSource, track: Track): Promise<readonly number[]> {
  const box = findBox(track.tables, 'stco') ?? findBox(track.tables, 'co64');
  if (box === undefined) return [];
  const bytes = await contentOf(source, box);
  const width = box.type === 'stco' ? 4 : 8;
  const offsets: number[] = [];
  for (let at = 8; at + width <= bytes.length && offsets.length < mostChapters; at += width) {
    offsets.push(width === 4 ? u32(bytes, at) : u64(bytes, at));
  }
  return offsets;
}

/** Chunks contain a number of samples each, one after the other. */
function readPlaces(tables: {
  readonly sizes: Uint8Array;
  readonly chunks: Uint8Array;
  readonly offsets: readonly number[];
}): readonly { readonly offset: number; readonly length: number }[] {
  const { sizes, chunks, offsets } = tables;
  if (sizes.length < 12) return [];
  const common = u32(sizes, 4);
  const sizeOf = (sample: number): number =>
    common > 0 ? common : 16 + 4 * sample <= sizes.length ? u32(sizes, 12 + 4 * sample) : 0;
  const places: { offset: number; length: number }[] = [];
  let run = 8;
  offsets.forEach((start, chunk) => {
    while (
      run + 16 <= chunks.length &&
      run + 24 <= chunks.length &&
      u32(chunks, run + 12) <= chunk + 1
    )
      run += 12;
    const count = run + 12 <= chunks.length ? u32(chunks, run + 4) : 0;
    let offset = start;
    for (let left = count; left > 0 && places.length < mostChapters; left--) {
      const length = sizeOf(places.length);
      places.push({ offset, length: Math.min(length, longestTitle) });
      offset += length;
    }
  });
  return places;
}

/** A length and the text, UTF-16 if it begins with a byte order mark. */
function titleIn(sample: Uint8Array): string {
  if (sample.length < 2) return '';
  const text = sample.subarray(2, 2 + u16(sample, 0));
  const mark = text.length >= 2 ? u16(text, 0) : 0;
  return mark === 0xfeff || mark === 0xfffe ? utf16(text) : utf8(text);
}
