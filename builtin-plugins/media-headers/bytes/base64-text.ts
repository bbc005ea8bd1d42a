/** Base64 (RFC 4648, section 4) of bytes. `atob` and `btoa` work on texts, which takes ten times as long. */

const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';
const values = new Uint8Array(128);
for (let value = 0; value < letters.length; value++) values[letters.charCodeAt(value)] = value;

/** The bytes of a text in base64. The text comes from the server and is valid. */
export function fromBase64(text: string): Uint8Array<ArrayBuffer> {
  const end = text.endsWith('==') ? 2 : text.endsWith('=') ? 1 : 0;
  const length = (text.length / 4) * 3 - end;
  const bytes = new Uint8Array(Math.ceil(length / 3) * 3);
  for (let from = 0, to = 0; from < text.length; from += 4, to += 3) {
    const word =
      (valueAt(text, from) << 18) |
      (valueAt(text, from + 1) << 12) |
      (valueAt(text, from + 2) << 6) |
      valueAt(text, from + 3);
    bytes[to] = word >> 16;
    bytes[to + 1] = word >> 8;
    bytes[to + 2] = word;
  }
  return bytes.subarray(0, length);
}

const valueAt = (text: string, at: number): number => values[text.charCodeAt(at)] ?? 0;

const pieceBytes = 3 * 4096;

export function toBase64(bytes: Uint8Array): string {
  let text = '';
  for (let at = 0; at < bytes.length; at += pieceBytes) {
    text += ofPiece(bytes.subarray(at, at + pieceBytes));
  }
  return text;
}

function ofPiece(bytes: Uint8Array): string {
  const codes = new Uint8Array(Math.ceil(bytes.length / 3) * 4).fill('='.charCodeAt(0));
  for (let from = 0, to = 0; from < bytes.length; from += 3, to += 4) {
    const word =
      ((bytes[from] ?? 0) << 16) | ((bytes[from + 1] ?? 0) << 8) | (bytes[from + 2] ?? 0);
    const count = Math.min(3, bytes.length - from) + 1;
    for (let index = 0; index < count; index++) {
      codes[to + index] = letters.charCodeAt((word >> (18 - 6 * index)) & 63);
    }
  }
  return String.fromCharCode(...codes);
}
