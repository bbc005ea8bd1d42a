/** Chapters of an MP4: Nero's list in the user data, or QuickTime's track of titles. */
import { u16, u64, u8 } from '../../../media-headers/bytes/numbers.ts';
import { utf16, utf8 } from '../../../media-headers/bytes/text.ts';
import type { ByteSource } from '../../../media-headers/bytes/byte-source.ts';
import type { FoundChapter, MediaSource } from '../../media.ts';
import { contentOf, findBox, type Box } from '../../../media-headers/mp4/boxes.ts';
import { readSamples } from './samples.ts';
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
  const samples = await readSamples(source, track, mostChapters);
  const texts = await source.readPieces(
    samples.map(({ offset, length }) => ({ offset, length: Math.min(length, longestTitle) })),
  );
  return texts.map((text, at) => ({
    startTime: samples[at]?.startTime ?? 0,
    endTime: samples[at]?.endTime,
    title: titleIn(text),
  }));
}

/** A length and the text, UTF-16 if it begins with a byte order mark. */
function titleIn(sample: Uint8Array): string {
  if (sample.length < 2) return '';
  const text = sample.subarray(2, 2 + u16(sample, 0));
  const mark = text.length >= 2 ? u16(text, 0) : 0;
  return mark === 0xfeff || mark === 0xfffe ? utf16(text) : utf8(text);
}
