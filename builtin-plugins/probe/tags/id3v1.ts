/** ID3v1: 128 bytes at the end of the file. */
import { u8 } from '../../media-headers/bytes/numbers.ts';
import { ascii, latin1, untilZero } from '../../media-headers/bytes/text.ts';
import type { TagsDraft } from '../media.ts';
import { genreName } from './genres.ts';
import { setTag } from './known-tags.ts';

export const id3v1Bytes = 128;

/** Fills in missing values. */
export function readId3v1(tail: Uint8Array, tags: TagsDraft): boolean {
  if (tail.length < id3v1Bytes) return false;
  const tag = tail.subarray(tail.length - id3v1Bytes);
  if (ascii(tag, 0, 3) !== 'TAG') return false;
  const text = (from: number, length: number) =>
    latin1(untilZero(tag.subarray(from, from + length)));
  const take = (name: keyof TagsDraft, value: string) => {
    if (tags[name] === undefined) setTag(tags, name, value);
  };
  take('title', text(3, 30));
  take('artist', text(33, 30));
  take('album', text(63, 30));
  take('date', text(93, 4));
  if (tag[125] === 0 && tag[126] !== 0) take('track', String(u8(tag, 126)));
  if (tags.genres === undefined) setTag(tags, 'genre', genreName(u8(tag, 127)) ?? '');
  return true;
}
