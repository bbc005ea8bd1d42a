/** Matroska files from their elements, for what no program at hand writes. */

/** An element with its content. */
export function element(id: number, ...content: readonly Uint8Array[]): Buffer {
  const body = Buffer.concat(content);
  const size = Buffer.alloc(8);
  size.writeBigUInt64BE(BigInt(body.length) | (1n << 56n));
  return Buffer.concat([idOf(id), size, body]);
}

/** A whole number. */
export function number(id: number, value: number): Buffer {
  const bytes = Buffer.alloc(8);
  bytes.writeBigUInt64BE(BigInt(value));
  return element(id, bytes);
}

/** A floating-point number. */
export function real(id: number, value: number): Buffer {
  const bytes = Buffer.alloc(8);
  bytes.writeDoubleBE(value);
  return element(id, bytes);
}

export const text = (id: number, value: string): Buffer => element(id, Buffer.from(value));

function idOf(id: number): Buffer {
  const digits = id.toString(16);
  return Buffer.from(digits.padStart(digits.length + (digits.length % 2), '0'), 'hex');
}

/** The content of a block: track, time, flags and what follows. */
export function blockContent(
  track: number,
  ticks: number,
  flags: number,
  ...content: readonly Uint8Array[]
): Buffer {
  const head = Buffer.alloc(4);
  head.writeUInt8(0x80 | track, 0);
  head.writeInt16BE(ticks, 1);
  head.writeUInt8(flags, 3);
  return Buffer.concat([head, ...content]);
}

/** A file with these tracks and clusters; `cuesOf` gets the place of each cluster in the segment. */
export function matroska(
  tracks: readonly Buffer[],
  clusters: readonly Buffer[],
  cuesOf: (places: readonly number[]) => Buffer = () => Buffer.alloc(0),
): Buffer {
  const info = element(0x1549a966, number(0x2ad7b1, 1_000_000), real(0x4489, 6000));
  const front = [info, element(0x1654ae6b, ...tracks)];
  const measured = cuesOf(clusters.map(() => 0));
  let at = front.reduce((sum, part) => sum + part.length, measured.length);
  const places = clusters.map((cluster) => {
    const place = at;
    at += cluster.length;
    return place;
  });
  const cues = cuesOf(places);
  const head = element(0x1a45dfa3, text(0x4282, 'matroska'));
  return Buffer.concat([head, element(0x18538067, ...front, cues, ...clusters)]);
}

/** A cue of the track 1. */
export const cue = (ticks: number, place: number): Buffer =>
  element(0xbb, number(0xb3, ticks), element(0xb7, number(0xf7, 1), number(0xf1, place)));

/** A track of pictures: H.264 with this setup. */
export const pictureTrack = (setup: Uint8Array, ...more: readonly Buffer[]): Buffer =>
  element(
    0xae,
    number(0xd7, 1),
    number(0x83, 1),
    text(0x86, 'V_MPEG4/ISO/AVC'),
    element(0x63a2, setup),
    element(0xe0, number(0xb0, 16), number(0xba, 16)),
    ...more,
  );

/** A track of sound: AAC of two channels at 48 kHz. */
export const soundTrack = (...more: readonly Buffer[]): Buffer =>
  element(
    0xae,
    number(0xd7, 2),
    number(0x83, 2),
    text(0x86, 'A_AAC'),
    element(0x63a2, Buffer.from([0x11, 0x90])),
    element(0xe1, real(0xb5, 48_000), number(0x9f, 2)),
    ...more,
  );

/** `avcC` of the smallest picture. */
export const avcSetup = Buffer.from('0142c00affe0', 'hex');
