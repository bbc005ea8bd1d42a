import { toText } from './to-text.ts';
import { createUtf8Decoder, encodeUtf8, encodeUtf8Into, latin1 } from './utf8.ts';

type Encoding = 'utf-8' | 'utf-16le' | 'utf-16be' | 'windows-1252';

const labels = new Map<string, Encoding>(
  Object.entries({
    'utf-8': 'utf-8',
    utf8: 'utf-8',
    'unicode-1-1-utf-8': 'utf-8',
    'utf-16': 'utf-16le',
    'utf-16le': 'utf-16le',
    'utf-16be': 'utf-16be',
    ucs2: 'utf-16le',
    'ucs-2': 'utf-16le',
    latin1: 'windows-1252',
    'iso-8859-1': 'windows-1252',
    iso88591: 'windows-1252',
    ascii: 'windows-1252',
    'us-ascii': 'windows-1252',
    'windows-1252': 'windows-1252',
    cp1252: 'windows-1252',
    'x-cp1252': 'windows-1252',
  }),
);

/** The characters of windows-1252 for the bytes 0x80 to 0x9f. */
const windows1252 =
  '\u20ac\u0081\u201a\u0192\u201e\u2026\u2020\u2021\u02c6\u2030\u0160\u2039\u0152\u008d\u017d\u008f' +
  '\u0090\u2018\u2019\u201c\u201d\u2022\u2013\u2014\u02dc\u2122\u0161\u203a\u0153\u009d\u017e\u0178';

/** Text to UTF-8. */
export class TextEncoder {
  get encoding(): string {
    return 'utf-8';
  }

  encode(text: unknown = ''): Uint8Array {
    return encodeUtf8(toText(text));
  }

  encodeInto(text: unknown, bytes: Uint8Array): { read: number; written: number } {
    return encodeUtf8Into(toText(text), bytes);
  }
}

/** Bytes to text: utf-8, utf-16le, utf-16be, and windows-1252 with its other names. */
export class TextDecoder {
  readonly #encoding: Encoding;
  readonly #fatal: boolean;
  readonly #ignoreBOM: boolean;
  #decoder: ((bytes: Uint8Array, isLast: boolean) => string) | undefined;
  #isAtStart = true;

  constructor(label: unknown = 'utf-8', options: { fatal?: boolean; ignoreBOM?: boolean } = {}) {
    const encoding = labels.get(toText(label).trim().toLowerCase());
    if (encoding === undefined)
      throw new RangeError(`The encoding "${toText(label)}" is not known.`);
    this.#encoding = encoding;
    this.#fatal = options.fatal === true;
    this.#ignoreBOM = options.ignoreBOM === true;
  }

  get encoding(): string {
    return this.#encoding;
  }

  get fatal(): boolean {
    return this.#fatal;
  }

  get ignoreBOM(): boolean {
    return this.#ignoreBOM;
  }

  decode(input?: ArrayBuffer | ArrayBufferView, options: { stream?: boolean } = {}): string {
    const isLast = options.stream !== true;
    this.#decoder ??= decoderOf(this.#encoding, this.#fatal);
    const decode = this.#decoder;
    if (isLast) this.#decoder = undefined;
    let text: string;
    try {
      text = decode(bytesOf(input), isLast);
    } catch (error) {
      this.#decoder = undefined;
      this.#isAtStart = true;
      throw error;
    }
    if (this.#isAtStart && !this.#ignoreBOM && this.#encoding !== 'windows-1252') {
      if (text.startsWith('\ufeff')) text = text.slice(1);
    }
    if (text !== '') this.#isAtStart = false;
    if (isLast) this.#isAtStart = true;
    return text;
  }
}

function decoderOf(
  encoding: Encoding,
  fatal: boolean,
): (bytes: Uint8Array, isLast: boolean) => string {
  switch (encoding) {
    case 'utf-8':
      return createUtf8Decoder(fatal).push;
    case 'utf-16le':
      return createUtf16Decoder(0, fatal);
    case 'utf-16be':
      return createUtf16Decoder(1, fatal);
    case 'windows-1252':
      return (bytes) =>
        latin1(bytes, 0, bytes.length).replace(/[\u0080-\u009f]/g, (character) =>
          windows1252.charAt(character.charCodeAt(0) - 0x80),
        );
  }
}

/** `lowAt` is the place of the low byte in its pair. */
function createUtf16Decoder(
  lowAt: 0 | 1,
  fatal: boolean,
): (bytes: Uint8Array, isLast: boolean) => string {
  let rest: Uint8Array = new Uint8Array(0);
  let held = '';
  return (bytes, isLast) => {
    const all = new Uint8Array(rest.length + bytes.length);
    all.set(rest);
    all.set(bytes, rest.length);
    const even = all.length - (all.length % 2);
    let text = held;
    held = '';
    for (let index = 0; index < even; index += 2) {
      const low = all[index + lowAt] ?? 0;
      const high = all[index + 1 - lowAt] ?? 0;
      text += String.fromCharCode((high << 8) | low);
    }
    rest = all.slice(even);
    if (!isLast && /[\ud800-\udbff]$/.test(text)) {
      held = text.slice(-1);
      text = text.slice(0, -1);
    }
    const isCut = isLast && rest.length > 0;
    if (fatal && (isCut || !text.isWellFormed())) throw new TypeError('The bytes are not UTF-16.');
    // All that is left over at the end counts as one error.
    return isCut
      ? `${text.replace(/[\ud800-\udbff]$/, '').toWellFormed()}\ufffd`
      : text.toWellFormed();
  };
}

function bytesOf(input: ArrayBuffer | ArrayBufferView | undefined): Uint8Array {
  if (input === undefined) return new Uint8Array(0);
  if (ArrayBuffer.isView(input)) {
    return new Uint8Array(input.buffer, input.byteOffset, input.byteLength);
  }
  if (input instanceof ArrayBuffer) return new Uint8Array(input);
  throw new TypeError('The input must be an ArrayBuffer or a view of one.');
}
