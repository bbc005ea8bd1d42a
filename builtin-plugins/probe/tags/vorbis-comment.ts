/** Vorbis comments: the tags of FLAC, Ogg and Opus. */
import { u32, u32le } from '../../media-headers/bytes/numbers.ts';
import { ascii, utf8 } from '../../media-headers/bytes/text.ts';
import {
  pictureRole,
  pictureType,
  pictureTypeNamed,
} from '../../media-headers/bytes/picture-type.ts';
import { bytesOfBase64 } from '../../media-headers/bytes/base64.ts';
import type { FoundChapter, FoundPicture, TagsDraft } from '../media.ts';
import { setTag } from './known-tags.ts';

const mostComments = 2000;
const longestName = 64;

export interface VorbisComment {
  readonly tags: TagsDraft;
  readonly pictures: readonly FoundPicture[];
  readonly chapters: readonly FoundChapter[];
}

/** From the length of the vendor's name on. A truncated entry ends the list. */
export function readVorbisComment(bytes: Uint8Array): VorbisComment {
  const tags: TagsDraft = {};
  const pictures: FoundPicture[] = [];
  const chapters = new Map<string, { time?: number; name?: string }>();
  if (bytes.length < 8) return { tags, pictures, chapters: [] };
  let at = 4 + u32le(bytes, 0);
  if (at + 4 > bytes.length) return { tags, pictures, chapters: [] };
  const count = Math.min(u32le(bytes, at), mostComments);
  at += 4;
  for (let left = count; left > 0 && at + 4 <= bytes.length; left--) {
    const length = u32le(bytes, at);
    at += 4;
    if (at + length > bytes.length) break;
    const comment = bytes.subarray(at, at + length);
    at += length;
    const split = comment.subarray(0, longestName).indexOf(0x3d);
    if (split <= 0) continue;
    const name = ascii(comment, 0, split).toLowerCase();
    if (name === 'metadata_block_picture') {
      const picture = readPictureComment(comment.subarray(split + 1));
      if (picture !== undefined) pictures.push(picture);
    } else {
      const value = utf8(comment.subarray(split + 1));
      if (name.startsWith('chapter')) addChapter(chapters, name, value);
      setTag(tags, name, value);
    }
  }
  return { tags, pictures, chapters: inOrder(chapters) };
}

/** `CHAPTER001=00:01:02.500` and `CHAPTER001NAME=…`. */
function addChapter(
  chapters: Map<string, { time?: number; name?: string }>,
  name: string,
  value: string,
): void {
  const match = /^chapter(\d{1,4})(name)?$/.exec(name);
  if (match === null) return;
  const chapter = chapters.get(match[1] ?? '') ?? {};
  chapters.set(match[1] ?? '', chapter);
  if (match[2] !== undefined) chapter.name = value;
  const time = /^(\d{1,3}):(\d{2}):(\d{2}(?:\.\d{1,9})?)$/.exec(value);
  if (match[2] === undefined && time !== null) {
    chapter.time = Number(time[1]) * 3600 + Number(time[2]) * 60 + Number(time[3]);
  }
}

function inOrder(
  chapters: ReadonlyMap<string, { time?: number; name?: string }>,
): readonly FoundChapter[] {
  return [...chapters.values()]
    .flatMap(({ time, name }) => (time === undefined ? [] : [{ startTime: time, title: name }]))
    .sort((one, other) => one.startTime - other.startTime);
}

function readPictureComment(encoded: Uint8Array): FoundPicture | undefined {
  const block = bytesOfBase64(encoded);
  const head = readPictureHead(block);
  if (head === undefined) return undefined;
  const { from, size, ...named } = head;
  return { ...named, size, load: () => block.subarray(from, from + size) };
}

/** FLAC's picture block: role, type, description, dimensions, and the start of the bytes. */
export function readPictureHead(block: Uint8Array):
  | {
      readonly type: string;
      readonly mimeType: string;
      readonly size: number;
      readonly from: number;
    }
  | undefined {
  if (block.length < 32) return undefined;
  const typeLength = u32(block, 4);
  if (typeLength > 256 || typeLength + 12 > block.length) return undefined;
  const described = 8 + typeLength;
  const textLength = u32(block, described);
  const from = described + 4 + textLength + 20;
  if (from > block.length) return undefined;
  return {
    type: pictureRole(u32(block, 0)),
    mimeType: pictureType(block.subarray(from)) ?? pictureTypeNamed(ascii(block, 8, typeLength)),
    size: u32(block, from - 4),
    from,
  };
}
