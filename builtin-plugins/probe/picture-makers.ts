/** Makes pictures with camera data, byte by byte. */

type Order = 'big' | 'little';
type Entry = readonly [tag: number, type: number, values: string | readonly number[]];

const widths = [0, 1, 1, 2, 4, 8];

/** What an Apple device writes of a picture, in its own order of bytes. */
export function appleNote(id: string): string {
  const head = 'Apple iOS\0\0\x01MM';
  return head + directory('big', [[0x11, 2, `${id}\0`]], head.length).toString('latin1');
}

/** EXIF: an orientation, a camera, a lens, a time, a place, and what its maker adds. */
export function exifBlock(order: Order, orientation: number, note?: string): Buffer {
  const place: readonly Entry[] = [
    [1, 2, 'N\0'],
    [2, 5, [48, 1, 51, 1, 30, 1]],
    [3, 2, 'W\0'],
    [4, 5, [2, 1, 17, 1, 40, 1]],
  ];
  const details: readonly Entry[] = [
    [0x9003, 2, '2021:07:08 09:10:11\0'],
    [0x9011, 2, '+02:00\0'],
    ...(note === undefined ? [] : ([[0x927c, 7, note]] as const)),
    [0xa434, 2, 'RF24-70mm F2.8\0'],
  ];
  const main = (detailsAt: number, placeAt: number): readonly Entry[] => [
    [0x010f, 2, 'Canon\0'],
    [0x0110, 2, 'Canon EOS R5\0'],
    [0x0112, 3, [orientation]],
    [0x8769, 4, [detailsAt]],
    [0x8825, 4, [placeAt]],
  ];
  const detailsAt = 8 + directory(order, main(0, 0), 8).length;
  const placeAt = detailsAt + directory(order, details, detailsAt).length;
  return Buffer.concat([
    Buffer.from(order === 'big' ? 'MM\0*\0\0\0\x08' : 'II*\0\x08\0\0\0', 'latin1'),
    directory(order, main(detailsAt, placeAt), 8),
    directory(order, details, detailsAt),
    directory(order, place, placeAt),
  ]);
}

function directory(order: Order, entries: readonly Entry[], at: number): Buffer {
  const head = Buffer.alloc(2 + entries.length * 12 + 4);
  const behind: Buffer[] = [];
  let free = at + head.length;
  write(order, head, 0, 2, entries.length);
  entries.forEach(([tag, type, values], index) => {
    const from = 2 + index * 12;
    const bytes = valueBytes(order, type, values);
    write(order, head, from, 2, tag);
    write(order, head, from + 2, 2, type);
    write(order, head, from + 4, 4, bytes.length / (widths[type] ?? 1));
    if (bytes.length <= 4) bytes.copy(head, from + 8);
    else {
      write(order, head, from + 8, 4, free);
      behind.push(bytes);
      free += bytes.length;
    }
  });
  return Buffer.concat([head, ...behind]);
}

function valueBytes(order: Order, type: number, values: string | readonly number[]): Buffer {
  if (typeof values === 'string') return Buffer.from(values, 'latin1');
  const width = type === 3 ? 2 : 4;
  const bytes = Buffer.alloc(values.length * width);
  values.forEach((value, index) => write(order, bytes, index * width, width, value));
  return bytes;
}

function write(order: Order, to: Buffer, at: number, width: number, value: number): void {
  if (order === 'big') to.writeUIntBE(value, at, width);
  else to.writeUIntLE(value, at, width);
}

export function jpegWith(exif: Buffer, width: number, height: number): Buffer {
  const segment = (marker: number, body: Buffer): Buffer => {
    const head = Buffer.from([0xff, marker, 0, 0]);
    head.writeUInt16BE(body.length + 2, 2);
    return Buffer.concat([head, body]);
  };
  const frame = Buffer.alloc(15);
  frame.writeUInt8(8, 0);
  frame.writeUInt16BE(height, 1);
  frame.writeUInt16BE(width, 3);
  return Buffer.concat([
    Buffer.from([0xff, 0xd8]),
    segment(0xe1, Buffer.concat([Buffer.from('Exif\0\0'), exif])),
    segment(0xc0, frame),
    Buffer.from([0xff, 0xd9]),
  ]);
}

/** The same JPEG with an XMP packet in front. */
export function withXmp(jpeg: Buffer, xmp: string): Buffer {
  const body = Buffer.from(`http://ns.adobe.com/xap/1.0/\0<x:xmpmeta>${xmp}</x:xmpmeta>`, 'latin1');
  const head = Buffer.from([0xff, 0xe1, 0, 0]);
  head.writeUInt16BE(body.length + 2, 2);
  return Buffer.concat([jpeg.subarray(0, 2), head, body, jpeg.subarray(2)]);
}

export function pngHead(exif: Buffer, width: number, height: number): Buffer {
  const chunk = (name: string, body: Buffer): Buffer => {
    const head = Buffer.alloc(8);
    head.writeUInt32BE(body.length);
    head.write(name, 4, 'latin1');
    return Buffer.concat([head, body, Buffer.alloc(4)]);
  };
  const size = Buffer.alloc(13);
  size.writeUInt32BE(width, 0);
  size.writeUInt32BE(height, 4);
  size.writeUInt8(8, 8);
  return Buffer.concat([
    Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'),
    ...[chunk('IHDR', size), chunk('eXIf', exif), chunk('IDAT', Buffer.alloc(9))],
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

export function webpWith(exif: Buffer, width: number, height: number): Buffer {
  const chunk = (name: string, body: Buffer): Buffer => {
    const head = Buffer.alloc(8);
    head.write(name, 'latin1');
    head.writeUInt32LE(body.length, 4);
    return Buffer.concat([head, body, Buffer.alloc(body.length % 2)]);
  };
  const size = Buffer.alloc(10);
  size.writeUIntLE(width - 1, 4, 3);
  size.writeUIntLE(height - 1, 7, 3);
  const body = Buffer.concat([
    ...[Buffer.from('WEBP'), chunk('VP8X', size), chunk('VP8 ', Buffer.alloc(20))],
    chunk('EXIF', exif),
  ]);
  const head = Buffer.from('RIFF\0\0\0\0');
  head.writeUInt32LE(body.length, 4);
  return Buffer.concat([head, body]);
}

/** One picture and its EXIF; `turns` are counterclockwise quarter turns. */
export function heicFile(exif: Buffer, width: number, height: number, turns: number): Buffer {
  const box = (name: string, ...parts: readonly Buffer[]): Buffer => {
    const body = Buffer.concat(parts);
    const head = Buffer.alloc(8);
    head.writeUInt32BE(body.length + 8);
    head.write(name, 4, 'latin1');
    return Buffer.concat([head, body]);
  };
  const full = (version = 0): Buffer => Buffer.from([version, 0, 0, 0]);
  const short = (...values: readonly number[]): Buffer => {
    const bytes = Buffer.alloc(values.length * 2);
    values.forEach((value, index) => bytes.writeUInt16BE(value, index * 2));
    return bytes;
  };
  const long = (...values: readonly number[]): Buffer => {
    const bytes = Buffer.alloc(values.length * 4);
    values.forEach((value, index) => bytes.writeUInt32BE(value, index * 4));
    return bytes;
  };
  const payload = Buffer.concat([long(0), exif]);
  const entry = (id: number, type: string): Buffer =>
    box('infe', full(2), short(id, 0), Buffer.from(`${type}\0`, 'latin1'));
  const make = (at: number): Buffer =>
    Buffer.concat([
      box('ftyp', Buffer.from('heic\0\0\0\0mif1heic', 'latin1')),
      box(
        'meta',
        full(),
        box('hdlr', full(), long(0), Buffer.from('pict'), long(0, 0, 0), Buffer.alloc(1)),
        box('pitm', full(), short(1)),
        box('iinf', full(), short(2), entry(1, 'hvc1'), entry(2, 'Exif')),
        box(
          'iprp',
          box('ipco', box('ispe', full(), long(width, height)), box('irot', Buffer.from([turns]))),
          box('ipma', full(), long(1), short(1), Buffer.from([2, 0x81, 0x02])),
        ),
        box(
          'iloc',
          full(),
          short(0x4400, 1),
          Buffer.concat([short(2, 0, 1), long(at, payload.length)]),
        ),
      ),
      box('mdat', payload),
    ]);
  return make(make(0).length - payload.length);
}
