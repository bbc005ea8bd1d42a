/** Values in the syntax of PDF. */
import { malformed } from '../../../media-headers/bytes/probe-error.ts';
import { ascii } from '../../../media-headers/bytes/text.ts';

/** `/Name`. */
export class PdfName {
  readonly name: string;

  constructor(name: string) {
    this.name = name;
  }
}

/** `12 0 R`: another object. */
export class PdfReference {
  readonly object: number;

  constructor(object: number) {
    this.object = object;
  }
}

export type PdfDictionary = ReadonlyMap<string, PdfValue>;

export type PdfValue =
  | number
  | boolean
  | null
  | PdfName
  | PdfReference
  | Uint8Array
  | PdfDictionary
  | readonly PdfValue[];

export function isDictionary(value: PdfValue | undefined): value is PdfDictionary {
  return value instanceof Map;
}

const deepest = 20;
const mostParts = 10_000;
const isSpace = (byte: number): boolean => byte === 32 || (byte >= 9 && byte <= 13) || byte === 0;
const isDelimiter = (byte: number): boolean => '()<>[]{}/%'.includes(String.fromCharCode(byte));

/** Reads values one after the other. */
export class PdfReader {
  readonly #bytes: Uint8Array;
  at: number;
  #partsLeft = mostParts;

  constructor(bytes: Uint8Array, at = 0) {
    this.#bytes = bytes;
    this.at = at;
  }

  get isAtEnd(): boolean {
    return this.at >= this.#bytes.length;
  }

  /** Whether a keyword is here; if so, skips it. */
  takes(word: string): boolean {
    this.#skipSpace();
    if (ascii(this.#bytes, this.at, word.length) !== word) return false;
    this.at += word.length;
    return true;
  }

  value(depth = 0): PdfValue {
    this.#partsLeft--;
    if (depth > deepest || this.#partsLeft < 0)
      throw malformed('An object of the PDF is too deep.');
    this.#skipSpace();
    const byte = this.#bytes[this.at];
    if (byte === undefined) throw malformed('An object of the PDF is cut off.');
    if (byte === 0x2f) return this.#name();
    if (byte === 0x28) return this.#text();
    if (byte === 0x5b) return this.#list(depth);
    if (byte === 0x3c) {
      return this.#bytes[this.at + 1] === 0x3c ? this.#dictionary(depth) : this.#hex();
    }
    return this.#wordOrNumber();
  }

  #skipSpace(): void {
    for (; this.at < this.#bytes.length; this.at++) {
      const byte = this.#bytes[this.at] ?? 0;
      if (byte === 0x25) {
        while (this.at < this.#bytes.length && !/[\r\n]/.test(ascii(this.#bytes, this.at, 1)))
          this.at++;
      } else if (!isSpace(byte)) return;
    }
  }

  #regular(): string {
    const from = this.at;
    for (; this.at < this.#bytes.length; this.at++) {
      const byte = this.#bytes[this.at] ?? 0;
      if (isSpace(byte) || isDelimiter(byte)) break;
    }
    return ascii(this.#bytes, from, this.at - from);
  }

  #name(): PdfName {
    this.at++;
    const raw = this.#regular();
    return new PdfName(
      raw.replace(/#([0-9a-f]{2})/gi, (_, hex: string) =>
        String.fromCharCode(Number.parseInt(hex, 16)),
      ),
    );
  }

  #wordOrNumber(): PdfValue {
    const word = this.#regular();
    if (word === '') throw malformed('An object of the PDF is damaged.');
    if (word === 'true' || word === 'false') return word === 'true';
    if (!/^[+-]?[\d.]+$/.test(word)) return null;
    const behind = this.at;
    if (/^\d+$/.test(word)) {
      this.#skipSpace();
      const generation = this.#regular();
      if (/^\d+$/.test(generation) && this.takes('R')) return new PdfReference(Number(word));
      this.at = behind;
    }
    return Number.parseFloat(word);
  }

  #list(depth: number): readonly PdfValue[] {
    this.at++;
    const list: PdfValue[] = [];
    while (!this.takes(']')) list.push(this.value(depth + 1));
    return list;
  }

  #dictionary(depth: number): PdfDictionary {
    this.at += 2;
    const dictionary = new Map<string, PdfValue>();
    while (!this.takes('>>')) {
      const key = this.value(depth + 1);
      if (!(key instanceof PdfName)) throw malformed('An object of the PDF is damaged.');
      dictionary.set(key.name, this.value(depth + 1));
    }
    return dictionary;
  }

  #hex(): Uint8Array {
    const end = this.#bytes.indexOf(0x3e, this.at);
    if (end < 0) throw malformed('An object of the PDF is cut off.');
    const digits = ascii(this.#bytes, this.at + 1, end - this.at - 1).replace(/[^0-9a-f]/gi, '');
    this.at = end + 1;
    const bytes = new Uint8Array(Math.ceil(digits.length / 2));
    for (let index = 0; index < bytes.length; index++) {
      bytes[index] = Number.parseInt(digits.slice(index * 2, index * 2 + 2).padEnd(2, '0'), 16);
    }
    return bytes;
  }

  #text(): Uint8Array {
    const bytes: number[] = [];
    let open = 1;
    for (this.at++; this.at < this.#bytes.length; this.at++) {
      const byte = this.#bytes[this.at] ?? 0;
      if (byte === 0x5c) this.#escaped(bytes);
      else {
        if (byte === 0x28) open++;
        if (byte === 0x29 && --open === 0) {
          this.at++;
          return Uint8Array.from(bytes);
        }
        bytes.push(byte);
      }
    }
    throw malformed('An object of the PDF is cut off.');
  }

  #escaped(bytes: number[]): void {
    const next = ascii(this.#bytes, this.at + 1, 3);
    const octal = /^[0-7]{1,3}/.exec(next)?.[0];
    if (octal !== undefined) {
      bytes.push(Number.parseInt(octal, 8) & 0xff);
      this.at += octal.length;
      return;
    }
    this.at++;
    const letter = next.charAt(0);
    const meant = 'nrtbf'.indexOf(letter);
    if (meant >= 0) bytes.push([10, 13, 9, 8, 12][meant] ?? 0);
    else if (letter === '\r' && next.charAt(1) === '\n') this.at++;
    else if (letter !== '\n' && letter !== '\r') bytes.push(this.#bytes[this.at] ?? 0);
  }
}
