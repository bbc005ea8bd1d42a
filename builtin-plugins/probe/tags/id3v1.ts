/** ID3v1: 128 bytes at the end of the file. */
import { u8 } from '../../media-headers/bytes/numbers.ts';
import { ascii, untilZero } from '../../media-headers/bytes/text.ts';
import { decodeTogether } from '../../media-headers/charsets/decode-text.ts';
import type { TagsDraft } from '../media.ts';
import { genreName } from './genres.ts';
import { setTag } from './known-tags.ts';

export const id3v1Bytes = 128;

/** Fills in missing values. */
export function readId3v1(tail: Uint8Array, tags: TagsDraft): boolean {
  if (tail.length < id3v1Bytes) return false;
  const tag = tail.subarray(tail.length - id3v1Bytes);
  if (ascii(tag, 0, 3) !== 'TAG') return false;
  const part = (from: number, length: number) => untilZero(tag.subarray(from, from + length));
  const parts = { title: part(3, 30), artist: part(33, 30), album: part(63, 30) };
  const decode = decodeTogether(Object.values(parts));
  const take = (name: keyof TagsDraft, value: string) => {
    if (tags[name] === undefined) setTag(tags, name, value);
  };
  take('title', decode(parts.title));
  take('artist', decode(parts.artist));
  take('album', decode(parts.album));
  take('date', ascii(part(93, 4), 0, 4));
  if (tag[125] === 0 && tag[126] !== 0) take('track', String(u8(tag, 126)));
  if (tags.genres === undefined) setTag(tags, 'genre', genreName(u8(tag, 127)) ?? '');
  return true;
}
