/**
 * The gzip around a package. Many gzip streams can hold the same content, and unused bits may have
 * any value. Here the header has one form, and its extra field holds the SHA-256 of all that follows,
 * so every changed bit is detected. fflate compresses rather than zlib, whose output depends on its
 * version and the machine: the same files give the same package everywhere.
 */
import { createHash } from 'node:crypto';
import { createRequire } from 'node:module';
import { crc32, createInflateRaw } from 'node:zlib';
import type * as fflate from 'fflate';
import { longestTar } from './tar.ts';

/** Largest package, in bytes. */
export const longestPackage = 10 * 1024 * 1024;

/** Magic, deflate, "has an extra field", no time, best compression, unknown system, 36 bytes, `VP`, 32. */
const start = Buffer.from('1f8b08040000000002ff24005650' + '2000', 'hex');
const digestBytes = 32;
const trailerBytes = 8;
const frameBytes = start.length + digestBytes + trailerBytes;

/** The content, or why there is none, as the end of a sentence that names the package. */
export type Opened =
  | { readonly ok: true; readonly content: Uint8Array }
  | { readonly ok: false; readonly fault: string };

/** Compresses; the same content always gives the same bytes. */
export function seal(content: Uint8Array): Uint8Array {
  // Only packing needs it, so servers do not load it at their start.
  const { deflateSync } = createRequire(import.meta.url)('fflate') as typeof fflate;
  const body = Buffer.concat([deflateSync(content, { level: 9, mem: 9 }), trailerOf(content)]);
  return Buffer.concat([start, sha256(body), body]);
}

/** Decompresses what {@link seal} made. The size limit is enforced while it decompresses. */
export async function open(bytes: Uint8Array): Promise<Opened> {
  if (bytes.length > longestPackage) return refused(`is larger than ${longestPackage} bytes`);
  if (bytes.length < frameBytes || Buffer.compare(bytes.subarray(0, start.length), start) !== 0)
    return refused('does not begin as a package does');
  const body = bytes.subarray(start.length + digestBytes);
  const digest = bytes.subarray(start.length, start.length + digestBytes);
  if (Buffer.compare(sha256(body), digest) !== 0) return refused('is damaged');
  const inflated = await inflate(body.subarray(0, -trailerBytes));
  if (!inflated.ok) return inflated;
  const isWhole = Buffer.compare(trailerOf(inflated.content), body.subarray(-trailerBytes)) === 0;
  return isWhole ? inflated : refused('is damaged');
}

async function inflate(deflated: Uint8Array): Promise<Opened> {
  const engine = createInflateRaw();
  engine.end(deflated);
  const chunks: Uint8Array[] = [];
  let length = 0;
  try {
    for await (const chunk of engine as AsyncIterable<Uint8Array>) {
      length += chunk.length;
      if (length > longestTar) return refused(`is larger than ${longestTar} bytes unpacked`);
      chunks.push(chunk);
    }
  } catch {
    return refused('is damaged');
  }
  return engine.bytesWritten === deflated.length
    ? { ok: true, content: Buffer.concat(chunks, length) }
    : refused('goes on after its end');
}

function trailerOf(content: Uint8Array): Buffer {
  const trailer = Buffer.alloc(trailerBytes);
  trailer.writeUInt32LE(crc32(content), 0);
  trailer.writeUInt32LE(content.length, 4);
  return trailer;
}

const sha256 = (bytes: Uint8Array): Buffer => createHash('sha256').update(bytes).digest();

const refused = (fault: string): Opened => ({ ok: false, fault });
