/**
 * Boxes of MP4 and related formats. A box is a size, a name, and the content; sizes come from the
 * file and are checked against the enclosing box before anything is read.
 */
import { u32, u64 } from '../bytes/numbers.ts';
import { malformed, truncated } from '../bytes/probe-error.ts';
import { readUpTo, type ByteSource } from '../bytes/byte-source.ts';
import { ascii } from '../bytes/text.ts';

export interface Box {
  readonly type: string;
  /** The start of the box and of its content, and their common end. */
  readonly start: number;
  readonly from: number;
  readonly end: number;
}

const mostBoxes = 4000;
/** A probe does not need larger tables. */
const contentBytes = 256 * 1024;

/** The boxes between two places. Trailing zeros and invalid boxes end the list. */
export async function readBoxes(
  source: ByteSource,
  from: number,
  end: number,
): Promise<readonly Box[]> {
  const boxes: Box[] = [];
  for (let at = from; at + 8 <= end;) {
    const box = await readBox(source, at, end);
    if (box === undefined) break;
    if (box.end > end) throw malformed(`The box "${box.type}" is larger than what it is in.`);
    boxes.push(box);
    if (boxes.length > mostBoxes) throw malformed('The file has too many boxes in one place.');
    at = box.end;
  }
  return boxes;
}

/** One box; its end may lie beyond the file. `undefined` where there is none. */
export async function readBox(
  source: ByteSource,
  at: number,
  end: number,
): Promise<Box | undefined> {
  const head = await readUpTo(source, at, 16);
  const type = ascii(head, 4, 4);
  const size = u32(head, 0);
  if (size === 0) {
    return type === '\0\0\0\0' ? undefined : { type, start: at, from: at + 8, end };
  }
  const isLong = size === 1;
  if (isLong && head.length < 16) throw truncated(`The box "${type}" is cut off.`);
  const whole = isLong ? u64(head, 8) : size;
  const from = at + (isLong ? 16 : 8);
  if (at + whole < from) throw malformed(`The box "${type}" says it is ${whole} bytes long.`);
  return { type, start: at, from, end: at + whole };
}

/** The content of a box, up to a length that contains any header. */
export function contentOf(
  source: ByteSource,
  box: Box,
  atMost = contentBytes,
): Uint8Array | Promise<Uint8Array> {
  return source.read(box.from, Math.min(box.end - box.from, atMost));
}

export function findBox(boxes: readonly Box[], type: string): Box | undefined {
  return boxes.find((box) => box.type === type);
}

/** Boxes in memory. */
export function boxesIn(bytes: Uint8Array, from: number): readonly Box[] {
  const boxes: Box[] = [];
  for (let at = from; at + 8 <= bytes.length;) {
    const size = u32(bytes, at);
    const end = size === 0 ? bytes.length : at + size;
    if (size !== 0 && (size < 8 || end > bytes.length)) break;
    boxes.push({ type: ascii(bytes, at + 4, 4), start: at, from: at + 8, end });
    at = end;
  }
  return boxes;
}
