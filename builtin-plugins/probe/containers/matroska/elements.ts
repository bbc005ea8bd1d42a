/**
 * EBML, the form of Matroska and WebM: an id, a size, and what is inside. Elements are found in the
 * file one by one, and looked through in memory once the part that they are in has been read.
 */
import { float, u8 } from '../../bytes/numbers.ts';
import { malformed, ProbeError } from '../../bytes/probe-error.ts';
import { utf8, untilZero } from '../../bytes/text.ts';
import { readUpTo, type ByteSource } from '../../bytes/byte-source.ts';

/** Where an element begins, its content begins, and both end. */
export interface ElementPlace {
  readonly id: number;
  readonly start: number;
  readonly from: number;
  /** Infinite for one of unknown size, as live recordings have them. */
  readonly end: number;
}

/** The element at a place; `undefined` where there is none. */
export async function readElement(
  source: ByteSource,
  at: number,
): Promise<ElementPlace | undefined> {
  if (at >= source.size) return undefined;
  return placeIn(await readUpTo(source, at, 12), at);
}

function placeIn(head: Uint8Array, at: number): ElementPlace | undefined {
  const idLength = lengthOf(head[0] ?? 0);
  if (idLength > 4 || idLength >= head.length) return undefined;
  const sizeLength = lengthOf(head[idLength] ?? 0);
  if (sizeLength > 8 || idLength + sizeLength > head.length) return undefined;
  let id = 0;
  for (let index = 0; index < idLength; index++) id = id * 256 + u8(head, index);
  let size = (head[idLength] ?? 0) & (0xff >> sizeLength);
  let isUnknown = size === 0xff >> sizeLength;
  for (let index = 1; index < sizeLength; index++) {
    const byte = u8(head, idLength + index);
    if (byte !== 0xff) isUnknown = false;
    size = size * 256 + byte;
  }
  const from = at + idLength + sizeLength;
  return { id, start: at, from, end: isUnknown ? Infinity : from + size };
}

/** By its leading zeros; 9 when there is no mark at all. */
function lengthOf(first: number): number {
  return Math.clz32(first) - 23;
}

/** An element in memory, and what is in it. */
export class Element {
  readonly id: number;
  readonly content: Uint8Array;
  /** Where the content stands in the file. */
  readonly offset: number;
  #children: readonly Element[] | undefined;

  constructor(id: number, content: Uint8Array, offset: number) {
    this.id = id;
    this.content = content;
    this.offset = offset;
  }

  /** What is inside. What does not fit ends the list. */
  get children(): readonly Element[] {
    this.#children ??= this.#readChildren();
    return this.#children;
  }

  find(id: number): Element | undefined {
    return this.children.find((child) => child.id === id);
  }

  all(id: number): readonly Element[] {
    return this.children.filter((child) => child.id === id);
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
    if (this.content.length > 8) throw malformed('A number in the file is longer than it can be.');
    return this.content.reduce((sum, byte) => sum * 256 + byte, 0);
  }

  get string(): string {
    return utf8(untilZero(this.content));
  }

  #readChildren(): readonly Element[] {
    const children: Element[] = [];
    for (let at = 0; at < this.content.length;) {
      const place = placeIn(this.content.subarray(at, at + 12), at);
      if (place === undefined || place.end > this.content.length) break;
      const content = this.content.subarray(place.from, place.end);
      children.push(new Element(place.id, content, this.offset + place.from));
      at = place.end;
    }
    return children;
  }
}

const partBytes = 768 * 1024;

/** Reads a part of the file whole. */
export async function readWhole(source: ByteSource, place: ElementPlace): Promise<Element> {
  const length = place.end - place.from;
  if (length > partBytes) {
    throw new ProbeError('over-budget', `A header of the file is ${length} bytes long.`);
  }
  return new Element(place.id, await source.read(place.from, length), place.from);
}
