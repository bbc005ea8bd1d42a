/**
 * The size and the orientation of an AVIF: the properties `ispe`, `irot` and `imir` of its items
 * (ISO/IEC 23008-12, 6.5). The largest size is that of the picture; parts of it are smaller.
 */
import { truncated } from '../picture-error.ts';
import type { Orientation } from '../pixels.ts';
import type { Size } from '../resize.ts';

interface Box {
  readonly name: string;
  readonly body: Uint8Array;
}

const maxBoxes = 1000;

/** Reads both. */
export function readAvifHeader(bytes: Uint8Array): {
  readonly size: Size;
  readonly orientation: Orientation;
} {
  const meta = find(bytes, 'meta');
  // `meta` is a full box: version and flags come first.
  const container = find(find(meta.subarray(4), 'iprp'), 'ipco');
  let size: Size = { width: 0, height: 0 };
  let turns = 0;
  let mirror: number | null = null;
  for (const { name, body } of boxesOf(container)) {
    if (name === 'ispe' && body.length >= 12) size = larger(size, readSize(body));
    if (name === 'irot') turns = (body[0] ?? 0) & 3;
    if (name === 'imir') mirror = (body[0] ?? 0) & 1;
  }
  return { size, orientation: toOrientation(turns, mirror) };
}

function* boxesOf(bytes: Uint8Array): Generator<Box> {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  for (let at = 0, count = 0; at + 8 <= bytes.length && count < maxBoxes; count++) {
    const length = view.getUint32(at);
    const name = String.fromCharCode(...bytes.subarray(at + 4, at + 8));
    const end = length === 0 ? bytes.length : at + Math.max(8, length);
    yield { name, body: bytes.subarray(at + 8, end) };
    at = end;
  }
}

function find(bytes: Uint8Array, wanted: string): Uint8Array {
  for (const { name, body } of boxesOf(bytes)) if (name === wanted) return body;
  throw truncated('The picture ends inside of its headers.');
}

function readSize(body: Uint8Array): Size {
  const view = new DataView(body.buffer, body.byteOffset, body.byteLength);
  return { width: view.getUint32(4), height: view.getUint32(8) };
}

const larger = (one: Size, other: Size): Size =>
  other.width * other.height > one.width * one.height ? other : one;

/**
 * EXIF's number for the same transformation: quarter turns against the clock, then a mirror: 0
 * exchanges top and bottom, 1 left and right.
 */
function toOrientation(turns: number, mirror: number | null): Orientation {
  const plain: readonly Orientation[] = [1, 8, 3, 6];
  const upsideDown: readonly Orientation[] = [4, 5, 2, 7];
  const reversed: readonly Orientation[] = [2, 7, 4, 5];
  const row = mirror === null ? plain : mirror === 0 ? upsideDown : reversed;
  return row[turns] ?? 1;
}
