/** WebP files (RFC 9649) around pictures that an encoder made. */

/** A chunk with its length and its padding. */
export function webpChunk(name: string, body: Buffer): Buffer {
  const head = Buffer.alloc(8);
  head.write(name, 'latin1');
  head.writeUInt32LE(body.length, 4);
  return Buffer.concat([head, body, Buffer.alloc(body.length % 2)]);
}

/** A file with these chunks. */
export function webpFile(...chunks: readonly Buffer[]): Buffer {
  const body = Buffer.concat([Buffer.from('WEBP'), ...chunks]);
  return webpChunk('RIFF', body);
}

/** The header of an extended file. Flags: 2 animation, 8 EXIF, 16 alpha. */
export function webpHeader(width: number, height: number, flags: number): Buffer {
  const body = Buffer.alloc(10);
  body[0] = flags;
  body.writeUIntLE(width - 1, 4, 3);
  body.writeUIntLE(height - 1, 7, 3);
  return webpChunk('VP8X', body);
}

/** A frame of an animation; `picture` is a chunk VP8 or VP8L. */
export function webpFrame(width: number, height: number, picture: Buffer): Buffer {
  const head = Buffer.alloc(16);
  head.writeUIntLE(width - 1, 6, 3);
  head.writeUIntLE(height - 1, 9, 3);
  head.writeUIntLE(100, 12, 3);
  return webpChunk('ANMF', Buffer.concat([head, picture]));
}

/** The control of an animation. */
export const webpAnimation: Buffer = webpChunk('ANIM', Buffer.alloc(6));
