import { expect, test } from 'vitest';
import { encodeText } from '../../../test/support/media/encode-text.ts';
import { memorySource } from '../../media-headers/bytes/byte-source.ts';
import type { TagsDraft } from '../media.ts';
import { readId3v1 } from './id3v1.ts';
import { readId3 } from './id3v2.ts';

const u32 = (value: number): Buffer => {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(value);
  return bytes;
};

/** A frame whose text is declared as Latin-1. */
const frame = (id: string, text: Buffer): Buffer =>
  Buffer.concat([Buffer.from(id), u32(text.length + 1), Buffer.alloc(3), text]);

function id3(...frames: readonly Buffer[]): Uint8Array {
  const body = Buffer.concat(frames);
  const size = Buffer.from([0, 0, body.length >> 7, body.length & 127]);
  return Buffer.concat([Buffer.from('ID3\x03\0\0', 'latin1'), size, body]);
}

test.each([
  ['windows-1251', 'Земля дорогая', 'Кино', 'Группа крови'],
  ['shift_jis', 'さくら', '椎名林檎', '無罪モラトリアム'],
  ['euc-kr', '사랑을 했다', '아이유', '나의 노래'],
  ['windows-1252', 'Jóga', 'Björk', 'Vespertine'],
])('tags in %s that are declared as Latin-1 are read', async (charset, title, artist, album) => {
  const bytes = (text: string) => encodeText(text, charset);
  const wanted = { title, artist, album };
  const tag = id3(
    frame('TIT2', bytes(title)),
    frame('TPE1', bytes(artist)),
    frame('TALB', bytes(album)),
  );
  const old = Buffer.alloc(128);
  Buffer.from('TAG').copy(old);
  [title, artist, album].forEach((text, at) => bytes(text).copy(old, 3 + 30 * at));
  const tail: TagsDraft = {};
  readId3v1(old, tail);

  expect((await readId3(memorySource(tag))).tags).toMatchObject(wanted);
  expect(tail).toMatchObject(wanted);
});

test('a comment in UTF-8 beside tags of another encoding stays what it is', async () => {
  const tag = id3(
    frame('TIT2', encodeText('Группа крови', 'windows-1251')),
    frame('TALB', Buffer.from('Кино é')),
  );

  expect((await readId3(memorySource(tag))).tags).toMatchObject({
    title: 'Группа крови',
    album: 'Кино é',
  });
});
