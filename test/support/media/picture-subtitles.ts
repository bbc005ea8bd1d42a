/** Subtitles that are pictures (PGS), for films in which they are drawn. */
import { bars, keepFile, makeMedia } from './media-files.ts';

const segment = (seconds: number, type: number, data: readonly number[]): Buffer => {
  const head = Buffer.alloc(13);
  head.write('PG', 0, 'latin1');
  head.writeUInt32BE(seconds * 90_000, 2);
  head.writeUInt8(type, 10);
  head.writeUInt16BE(data.length, 11);
  return Buffer.concat([head, Buffer.from(data)]);
};

const two = (value: number): readonly number[] => [value >> 8, value & 255];

/** A white box in the middle of the lower half of a canvas of 320x180, from one second to another. */
function box(from: number, to: number): Buffer {
  const [x, y, width, height] = [120, 120, 80, 40];
  const line = [0, 0xc0, width, 1, 0, 0];
  const drawn = Array.from({ length: height }, () => line).flat();
  const length = drawn.length + 4;
  const canvas = [...two(320), ...two(180), 0x10];
  const window = [1, 0, ...two(x), ...two(y), ...two(width), ...two(height)];
  return Buffer.concat([
    segment(from, 0x16, [...canvas, 0, from, 0x80, 0, 0, 1, 0, 0, 0, 0, ...two(x), ...two(y)]),
    segment(from, 0x17, window),
    segment(from, 0x14, [0, 0, 1, 235, 128, 128, 255]),
    segment(from, 0x15, [
      ...[0, 0, 0, 0xc0, 0, ...two(length), ...two(width), ...two(height)],
      ...drawn,
    ]),
    segment(from, 0x80, []),
    segment(to, 0x16, [...canvas, 0, to, 0, 0, 0, 0]),
    segment(to, 0x17, window),
    segment(to, 0x80, []),
  ]);
}

/** A film of ten seconds with a white box from second 2 to 4, and from 6 to 8. */
export function filmWithPictures(): string {
  const subtitles = keepFile('sup', Buffer.concat([box(2, 4), box(6, 8)]));
  return makeMedia('mkv', [
    ...bars(10, '320x180', '25'),
    ...[
      '-copyts',
      '-i',
      subtitles,
      '-map',
      '0:v',
      '-map',
      '1:s',
      '-vf',
      'drawbox=t=fill:color=black',
    ],
    ...['-c:v', 'libx264', '-preset', 'ultrafast', '-pix_fmt', 'yuv420p', '-c:s', 'copy'],
  ]);
}
