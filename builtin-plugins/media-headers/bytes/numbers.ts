/**
 * Numbers from bytes. Each reader refuses to read past the end, so a truncated structure is noticed
 * where it is read and never becomes zeros.
 */
import { malformed } from './probe-error.ts';

export function u8(bytes: Uint8Array, at: number): number {
  const value = bytes[at];
  if (value === undefined) throw cutShort();
  return value;
}

export function u16(bytes: Uint8Array, at: number): number {
  return u8(bytes, at) * 0x100 + u8(bytes, at + 1);
}

export function u24(bytes: Uint8Array, at: number): number {
  return u16(bytes, at) * 0x100 + u8(bytes, at + 2);
}

export function u32(bytes: Uint8Array, at: number): number {
  return u16(bytes, at) * 0x10000 + u16(bytes, at + 2);
}

/** Exact up to 2^53; larger sizes and offsets are invalid anyway. */
export function u64(bytes: Uint8Array, at: number): number {
  return u32(bytes, at) * 0x100000000 + u32(bytes, at + 4);
}

export function i16(bytes: Uint8Array, at: number): number {
  return (u16(bytes, at) << 16) >> 16;
}

export function i32(bytes: Uint8Array, at: number): number {
  return u32(bytes, at) | 0;
}

export function u16le(bytes: Uint8Array, at: number): number {
  return u8(bytes, at) + u8(bytes, at + 1) * 0x100;
}

export function u24le(bytes: Uint8Array, at: number): number {
  return u16le(bytes, at) + u8(bytes, at + 2) * 0x10000;
}

export function u32le(bytes: Uint8Array, at: number): number {
  return u16le(bytes, at) + u16le(bytes, at + 2) * 0x10000;
}

export function u64le(bytes: Uint8Array, at: number): number {
  return u32le(bytes, at) + u32le(bytes, at + 4) * 0x100000000;
}

export function i32le(bytes: Uint8Array, at: number): number {
  return u32le(bytes, at) | 0;
}

/** A floating-point number of four or eight bytes, big endian. */
export function float(bytes: Uint8Array, at: number, length: 4 | 8): number {
  if (at + length > bytes.length) throw cutShort();
  const view = new DataView(bytes.buffer, bytes.byteOffset + at, length);
  return length === 4 ? view.getFloat32(0) : view.getFloat64(0);
}

/** A part of the bytes; refused if it is not complete. */
export function slice(bytes: Uint8Array, from: number, length: number): Uint8Array {
  if (from < 0 || length < 0 || from + length > bytes.length) throw cutShort();
  return bytes.subarray(from, from + length);
}

/** The position of a byte sequence, from a place on; -1 when there is none. */
export function indexOfBytes(bytes: Uint8Array, wanted: readonly number[], from = 0): number {
  const [first = 0] = wanted;
  const last = bytes.length - wanted.length;
  for (let at = bytes.indexOf(first, from); at >= 0 && at <= last;) {
    if (wanted.every((value, place) => bytes[at + place] === value)) return at;
    at = bytes.indexOf(first, at + 1);
  }
  return -1;
}

function cutShort(): Error {
  return malformed('A part of the file is shorter than it must be.');
}
