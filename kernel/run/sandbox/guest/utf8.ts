/** The bytes of a text; a lone surrogate becomes U+FFFD. */
export function encodeUtf8(text: string): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(text.length * 3);
  return bytes.slice(0, encodeUtf8Into(text, bytes).written);
}

/** Writes as many whole characters as fit. */
export function encodeUtf8Into(
  text: string,
  bytes: Uint8Array,
): { readonly read: number; readonly written: number } {
  let written = 0;
  let read = 0;
  while (read < text.length) {
    const point = scalarAt(text, read);
    const length = point < 0x80 ? 1 : point < 0x800 ? 2 : point < 0x10000 ? 3 : 4;
    if (written + length > bytes.length) break;
    if (length === 1) {
      bytes[written++] = point;
    } else {
      const lead = length === 2 ? 0xc0 : length === 3 ? 0xe0 : 0xf0;
      let shift = 6 * (length - 1);
      bytes[written++] = lead | (point >> shift);
      while (shift > 0) {
        shift -= 6;
        bytes[written++] = 0x80 | ((point >> shift) & 0x3f);
      }
    }
    read += point > 0xffff ? 2 : 1;
  }
  return { read, written };
}

function scalarAt(text: string, index: number): number {
  const point = text.codePointAt(index) ?? 0;
  return point >= 0xd800 && point <= 0xdfff ? 0xfffd : point;
}

/** Decodes UTF-8 piece by piece. */
export interface Utf8Decoder {
  /** `isLast`: no bytes follow, so an incomplete sequence is an error. */
  readonly push: (bytes: Uint8Array, isLast: boolean) => string;
}

/** Errors become U+FFFD as the Encoding Standard counts them; `fatal` throws a `TypeError` instead. */
export function createUtf8Decoder(fatal: boolean): Utf8Decoder {
  let point = 0;
  let seen = 0;
  let needed = 0;
  let lowest = 0x80;
  let highest = 0xbf;

  function malformed(): string {
    needed = 0;
    seen = 0;
    lowest = 0x80;
    highest = 0xbf;
    if (fatal) throw new TypeError('The bytes are not UTF-8.');
    return '\ufffd';
  }

  /** Whether the byte begins a multi-byte sequence. */
  function lead(byte: number): boolean {
    if (byte >= 0xc2 && byte <= 0xdf) needed = 1;
    else if (byte >= 0xe0 && byte <= 0xef) needed = 2;
    else if (byte >= 0xf0 && byte <= 0xf4) needed = 3;
    else return false;
    if (byte === 0xe0) lowest = 0xa0;
    if (byte === 0xed) highest = 0x9f;
    if (byte === 0xf0) lowest = 0x90;
    if (byte === 0xf4) highest = 0x8f;
    point = byte & (0x3f >> needed);
    return true;
  }

  function push(bytes: Uint8Array, isLast: boolean): string {
    let text = '';
    let index = 0;
    while (index < bytes.length) {
      if (needed === 0) {
        const end = endOfAscii(bytes, index);
        if (end > index) {
          text += latin1(bytes, index, end);
          index = end;
          continue;
        }
        if (!lead(bytes[index] ?? 0)) text += malformed();
        index++;
        continue;
      }
      const byte = bytes[index] ?? 0;
      if (byte < lowest || byte > highest) {
        text += malformed();
        continue;
      }
      index++;
      lowest = 0x80;
      highest = 0xbf;
      point = (point << 6) | (byte & 0x3f);
      if (++seen < needed) continue;
      text += String.fromCodePoint(point);
      needed = 0;
      seen = 0;
    }
    return isLast && needed > 0 ? text + malformed() : text;
  }

  return { push };
}

function endOfAscii(bytes: Uint8Array, from: number): number {
  let end = from;
  while (end < bytes.length && (bytes[end] ?? 0x80) < 0x80) end++;
  return end;
}

/** One character per byte. */
export function latin1(bytes: Uint8Array, from: number, to: number): string {
  let text = '';
  for (let start = from; start < to; start += 8192) {
    const codes: unknown = bytes.subarray(start, Math.min(to, start + 8192));
    text += String.fromCharCode.apply(undefined, codes as number[]);
  }
  return text;
}
