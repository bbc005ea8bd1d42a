/** FLAC files (RFC 9639) with tags and without sound: the header says how long it would be. */

const rate = 48_000;

/** The file; `tags` are Vorbis comments, such as `{TITLE: 'Low Tide'}`. */
export function makeFlac(seconds: number, tags: Readonly<Record<string, string>>): Buffer {
  const info = Buffer.alloc(34);
  info.writeUInt16BE(4096, 0);
  info.writeUInt16BE(4096, 2);
  // 20 bits of the rate, 3 of the channels, 5 of the depth, 36 of the samples.
  const head = (BigInt(rate) << 44n) | (1n << 41n) | (15n << 36n) | BigInt(seconds * rate);
  info.writeBigUInt64BE(head, 10);
  const comments = Object.entries(tags).map(([key, value]) => sized(`${key}=${value}`));
  const count = Buffer.alloc(4);
  count.writeUInt32LE(comments.length);
  const words = Buffer.concat([sized('made'), count, ...comments]);
  return Buffer.concat([Buffer.from('fLaC'), block(0, info), block(0x80 | 4, words)]);
}

function sized(text: string): Buffer {
  const bytes = Buffer.from(text);
  const length = Buffer.alloc(4);
  length.writeUInt32LE(bytes.length);
  return Buffer.concat([length, bytes]);
}

function block(kind: number, body: Buffer): Buffer {
  const head = Buffer.alloc(4);
  head.writeUInt32BE(body.length);
  head.writeUInt8(kind, 0);
  return Buffer.concat([head, body]);
}
