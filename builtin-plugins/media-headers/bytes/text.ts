/** Text from bytes. Nothing here throws: invalid bytes become replacement characters. */

const utf8Decoder = new TextDecoder('utf-8');
const windows1252 = new TextDecoder('windows-1252');
const utf16le = new TextDecoder('utf-16le');
const utf16be = new TextDecoder('utf-16be');
const strictUtf8 = new TextDecoder('utf-8', { fatal: true });

/** Bytes as characters with the same numbers; for signatures and names of boxes. */
export function ascii(bytes: Uint8Array, at: number, length: number): string {
  let text = '';
  const end = Math.min(at + length, bytes.length);
  for (let index = at; index < end; index++) text += String.fromCharCode(bytes[index] ?? 0);
  return text;
}

export function utf8(bytes: Uint8Array): string {
  return isAscii(bytes) ? ascii(bytes, 0, bytes.length) : utf8Decoder.decode(bytes);
}

/** ISO 8859-1 as programs use it, which is windows-1252. */
export function latin1(bytes: Uint8Array): string {
  return isAscii(bytes) ? ascii(bytes, 0, bytes.length) : windows1252.decode(bytes);
}

/** UTF-8 if the bytes are valid, else Latin-1: for formats without a defined encoding. */
export function utf8OrLatin1(bytes: Uint8Array): string {
  if (isAscii(bytes)) return ascii(bytes, 0, bytes.length);
  try {
    return strictUtf8.decode(bytes);
  } catch {
    return windows1252.decode(bytes);
  }
}

/** UTF-16 by its byte order mark; without one in the given order. */
export function utf16(bytes: Uint8Array, order: 'le' | 'be' = 'le'): string {
  const mark = ((bytes[0] ?? 0) << 8) | (bytes[1] ?? 0);
  if (mark === 0xfeff) return utf16be.decode(bytes.subarray(2));
  if (mark === 0xfffe) return utf16le.decode(bytes.subarray(2));
  return (order === 'be' ? utf16be : utf16le).decode(bytes);
}

/** The text before the first zero. */
export function untilZero(bytes: Uint8Array): Uint8Array {
  const end = bytes.indexOf(0);
  return end < 0 ? bytes : bytes.subarray(0, end);
}

function isAscii(bytes: Uint8Array): boolean {
  for (let index = 0; index < bytes.length; index++) {
    const byte = bytes[index] ?? 0;
    if (byte >= 0x80) return false;
  }
  return true;
}
