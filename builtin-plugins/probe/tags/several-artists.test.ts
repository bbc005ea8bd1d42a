import { expect, test } from 'vitest';
import { memorySource } from '../../media-headers/bytes/byte-source.ts';
import { readBoxes } from '../../media-headers/mp4/boxes.ts';
import { readItemList } from '../containers/mp4/item-list.ts';
import type { TagsDraft } from '../media.ts';
import { readApeTag } from './ape-tag.ts';
import { readId3 } from './id3v2.ts';
import { readVorbisComment } from './vorbis-comment.ts';

const u32 = (value: number): Buffer => {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(value);
  return bytes;
};
const u32le = (value: number): Buffer => u32(value).reverse();
const text = (value: string): Buffer => Buffer.from(value);

async function id3(version: number, ...frames: readonly Buffer[]): Promise<TagsDraft> {
  const framed = frames.map((content) =>
    Buffer.concat([text('TPE2'), u32(content.length), Buffer.alloc(2), content]),
  );
  const body = Buffer.concat(framed);
  const head = Buffer.from([0x49, 0x44, 0x33, version, 0, 0, 0, 0, 0, body.length]);
  return (await readId3(memorySource(Buffer.concat([head, body])))).tags;
}

const vorbis = (...comments: readonly string[]): TagsDraft =>
  readVorbisComment(
    Buffer.concat([
      ...[u32le(0), u32le(comments.length)],
      ...comments.flatMap((comment) => [u32le(text(comment).length), text(comment)]),
    ]),
  ).tags;

const box = (type: string, ...parts: readonly Buffer[]): Buffer => {
  const content = Buffer.concat(parts);
  return Buffer.concat([u32(content.length + 8), Buffer.from(type, 'latin1'), content]);
};

async function mp4(...items: readonly Buffer[]): Promise<TagsDraft> {
  const source = memorySource(box('meta', u32(0), box('ilst', ...items)));
  return (await readItemList(source, await readBoxes(source, 0, source.size))).tags;
}
const data = (value: string): Buffer => box('data', u32(1), u32(0), text(value));

async function ape(value: string): Promise<TagsDraft> {
  const tags: TagsDraft = {};
  const item = Buffer.concat([u32le(text(value).length), u32le(0), text(`Album Artist\0${value}`)]);
  const foot = [u32le(2000), u32le(item.length + 32), u32le(1), Buffer.alloc(12)];
  const source = memorySource(Buffer.concat([item, text('APETAGEX'), ...foot]));
  await readApeTag(source, source.size, tags);
  return tags;
}

const wide = Buffer.from([1, ...Buffer.from('\ufeffJon\0\ufeffKay', 'utf16le')]);

test.each([
  ['ID3v2.4', () => id3(4, text('\x03Jon\0Kay'))],
  ['ID3v2.4, in Latin-1', () => id3(4, text('\0Jon\0Kay\0'))],
  ['ID3v2.3, in UTF-16', () => id3(3, wide)],
  ['ID3v2.4, in two frames', () => id3(4, text('\x03Jon'), text('\x03Kay'))],
  ['Vorbis comments', () => vorbis('ALBUMARTIST=Jon', 'albumartist=Kay')],
  ['MP4', () => mp4(box('aART', data('Jon'), data('Kay')))],
  ['MP4, in two items', () => mp4(box('aART', data('Jon')), box('aART', data('Kay')))],
  ['APE', () => ape('Jon\0Kay')],
])('each of several album artists is kept: %s', async (_format, tags) => {
  expect(await tags()).toEqual({ albumArtist: 'Jon, Kay', albumArtists: ['Jon', 'Kay'] });
});
