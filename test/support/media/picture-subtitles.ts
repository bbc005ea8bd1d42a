/** Subtitles that are pictures (PGS, VobSub, DVB), for films in which they are drawn. */
import { blockContent, element, matroska, number, text } from './made-matroska.ts';
import { bars, keepFile, makeMedia } from './media-files.ts';

/** A segment of a `.sup` file. */
export const segment = (seconds: number, type: number, data: readonly number[]): Buffer => {
  const head = Buffer.alloc(13);
  head.write('PG', 0, 'latin1');
  head.writeUInt32BE(seconds * 90_000, 2);
  head.writeUInt8(type, 10);
  head.writeUInt16BE(data.length, 11);
  return Buffer.concat([head, Buffer.from(data)]);
};

/** A number as two bytes. */
export const two = (value: number): readonly number[] => [value >> 8, value & 255];

/** A white box in the middle of the lower half of a canvas of 320x180, from one second to another. */
export function box(from: number, to: number): Buffer {
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

/** When the box is shown, in seconds. */
const shownAt = [2, 6] as const;
const shownFor = 2;

/** A packet of VobSub: the box, as two fields of lines that are one run each, and when it ends. */
function vobSub(): Buffer {
  const field = Array.from({ length: 20 }, () => [0, 1]).flat();
  const control = 4 + 2 * field.length;
  const ending = control + 24;
  const place = [0x07, 0x80, 0xc7, 0x07, 0x80, 0x9f];
  const last = Math.round((shownFor * 90_000) / 1024);
  return Buffer.from([
    ...[...two(ending + 6), ...two(control), ...field, ...field],
    ...[0, 0, ...two(ending), 1, 3, 0, 0x10, 4, 0, 0xf0, 5, ...place],
    ...[6, ...two(4), ...two(4 + field.length), 0xff],
    ...[...two(last), ...two(ending), 2, 0xff],
  ]);
}

/** A packet of DVB: a region of the size of the box, whose page ends by its time. */
function dvb(): Buffer {
  const part = (type: number, data: readonly number[]): readonly number[] => [
    ...[0x0f, type, 0, 1, ...two(data.length), ...data],
  ];
  const line = [0x11, ...Array.from({ length: 40 }, () => 0x11), 0, 0xf0];
  return Buffer.from([
    ...part(0x14, [0, ...two(319), ...two(179)]),
    ...part(0x10, [shownFor, 0x08, 0, 0, ...two(120), ...two(120)]),
    ...part(0x11, [0, 0x08, ...two(80), ...two(40), 0x48, 0, 1, 0x10, ...two(0), 0, 0, 0, 0]),
    // The colour 1 of four bits, in full range: white, not transparent.
    ...part(0x12, [0, 0, 1, 0x41, 235, 128, 128, 0]),
    ...part(0x13, [0, 0, 0, ...two(line.length), ...two(0), ...line]),
    ...part(0x80, []),
  ]);
}

/** A track of one of them, alone. */
function alone(codec: string, setup: Buffer, packet: Buffer): string {
  const track = element(
    ...([0xae, number(0xd7, 1), number(0x83, 0x11)] as const),
    ...[text(0x86, codec), element(0x63a2, setup)],
  );
  const clusters = shownAt.map((seconds) =>
    element(
      ...([0x1f43b675, number(0xe7, seconds * 1000)] as const),
      element(0xa0, element(0xa1, blockContent(1, 0, 0, packet)), number(0x9b, shownFor * 1000)),
    ),
  );
  return keepFile('mkv', matroska([track], clusters));
}

const palette = ['000000', 'ffffff', ...Array.from({ length: 14 }, () => '000000')].join(', ');

const subtitles = {
  pgs: () => keepFile('sup', Buffer.concat([box(2, 4), box(6, 8)])),
  vobsub: () => alone('S_VOBSUB', Buffer.from(`size: 320x180\npalette: ${palette}\n`), vobSub()),
  dvb: () => alone('S_DVBSUB', Buffer.from([0, 1, 0, 1, 0x10]), dvb()),
};

/** A film of ten seconds with a white box from second 2 to 4, and from 6 to 8; of DVB in MPEG-TS. */
export function filmWithPictures(kind: keyof typeof subtitles = 'pgs'): string {
  return makeMedia(kind === 'dvb' ? 'ts' : 'mkv', [
    ...bars(10, '320x180', '25'),
    ...['-copyts', '-i', subtitles[kind](), '-map', '0:v', '-map', '1:s'],
    ...['-vf', 'drawbox=t=fill:color=black'],
    ...['-c:v', 'libx264', '-preset', 'ultrafast', '-pix_fmt', 'yuv420p', '-c:s', 'copy'],
  ]);
}
