/**
 * EBML, the form of Matroska and WebM: an id, a size, and the content. Elements are found in the
 * file one by one, and searched in memory once the part that contains them has been read.
 */
import { float, u8 } from '../bytes/numbers.ts';
import { malformed, ProbeError } from '../bytes/probe-error.ts';
import { utf8, untilZero } from '../bytes/text.ts';
import { readUpTo, type ByteSource } from '../bytes/byte-source.ts';

/** The start of the element and of its content, and their common end. */
export interface ElementPlace {
  readonly id: number;
  readonly start: number;
  readonly from: number;
  /** Infinite for an element of unknown size, as in live recordings. */
  readonly end: number;
}

/** The element at a place; `undefined` where there is none. */
export async function readElement(
  source: ByteSource,
  at: number,
): Promise<ElementPlace | undefined> {
  if (at >= source.size) return undefined;
  const place = placeIn(await readUpTo(source, at, 12), 0);
  if (place === undefined) return undefined;
  const { id, from, end } = place;
  return { id, start: at, from: at + from, end: at + end };
}

/** The element at a place of the bytes; `undefined` where they have none. */
export function placeIn(bytes: Uint8Array, at: number): ElementPlace | undefined {
  const idLength = lengthOf(bytes[at] ?? 0);
  const sizeAt = at + idLength;
  if (idLength > 4 || sizeAt >= bytes.length) return undefined;
  const sizeLength = lengthOf(bytes[sizeAt] ?? 0);
  const from = sizeAt + sizeLength;
  if (sizeLength > 8 || from > bytes.length) return undefined;
  let id = 0;
  for (let index = at; index < sizeAt; index++) id = id * 256 + u8(bytes, index);
  let size = (bytes[sizeAt] ?? 0) & (0xff >> sizeLength);
  let isUnknown = size === 0xff >> sizeLength;
  for (let index = sizeAt + 1; index < from; index++) {
    const byte = u8(bytes, index);
    if (byte !== 0xff) isUnknown = false;
    size = size * 256 + byte;
  }
  return { id, start: at, from, end: isUnknown ? Infinity : from + size };
}

/** By its leading zeros; 9 when the marker bit is missing. */
function lengthOf(first: number): number {
  return Math.clz32(first) - 23;
}

/** Of a part with more elements than any real one, only the first are read. */
const mostChildren = 10_000;
const mostFound = 4000;

/**
 * An element in memory. Its children are searched and never stored: a part may contain hundreds of
 * thousands of tiny elements, and only the requested ones become objects.
 */
export class Element {
  readonly content: Uint8Array;

  constructor(content: Uint8Array) {
    this.content = content;
  }

  find(id: number): Element | undefined {
    return this.#take(id, 1)[0];
  }

  all(id: number): readonly Element[] {
    return this.#take(id, mostFound);
  }

  /** Calls for each child. A child that does not fit ends the list. */
  forEach(visit: (id: number, content: () => Element) => boolean, most = mostChildren): void {
    const { content } = this;
    for (let at = 0, count = 0; at < content.length && count < most; count++) {
      const place = placeIn(content, at);
      if (place === undefined || place.end > content.length) return;
      const inside = () => new Element(content.subarray(place.from, place.end));
      if (!visit(place.id, inside)) return;
      at = place.end;
    }
  }

  #take(wanted: number, most: number): readonly Element[] {
    const found: Element[] = [];
    this.forEach((id, content) => {
      if (id === wanted) found.push(content());
      return found.length < most;
    });
    return found;
  }

  uint(id: number): number | undefined {
    return this.find(id)?.number;
  }

  text(id: number): string | undefined {
    return this.find(id)?.string;
  }

  real(id: number): number | undefined {
    const content = this.find(id)?.content;
    if (content === undefined || (content.length !== 4 && content.length !== 8)) return undefined;
    return float(content, 0, content.length);
  }

  get number(): number {
    if (this.content.length > 8) throw malformed('A number in the file is too long.');
    return this.content.reduce((sum, byte) => sum * 256 + byte, 0);
  }

  get string(): string {
    return utf8(untilZero(this.content));
  }
}

const partBytes = 768 * 1024;

/** Reads a whole part of the file. */
export async function readWhole(
  source: ByteSource,
  place: ElementPlace,
  atMost = partBytes,
): Promise<Element> {
  const length = place.end - place.from;
  if (length > atMost) {
    throw new ProbeError('over-budget', `A header of the file is ${length} bytes long.`);
  }
  return new Element(await source.read(place.from, length));
}
