import { DOMException } from './dom-exception.ts';

const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';
const codes = new Map(Array.from(alphabet, (letter, index) => [letter, index]));

/** Base64 of a string in which each character is a byte. */
export function btoa(input: unknown): string {
  const text = String(input);
  let encoded = '';
  for (let index = 0; index < text.length; index += 3) {
    const [a, b, c] = [0, 1, 2].map((offset) => text.charCodeAt(index + offset));
    if (Math.max(a ?? 0, b || 0, c || 0) > 255) {
      throw new DOMException('The text holds characters above U+00FF.', 'InvalidCharacterError');
    }
    const bits = ((a ?? 0) << 16) | ((b || 0) << 8) | (c || 0);
    encoded += letter(bits >> 18) + letter(bits >> 12);
    encoded += index + 1 < text.length ? letter(bits >> 6) : '=';
    encoded += index + 2 < text.length ? letter(bits) : '=';
  }
  return encoded;
}

/** Decodes base64 to a string in which each character is a byte; ignores white space. */
export function atob(input: unknown): string {
  let text = String(input).replace(/[\t\n\f\r ]+/g, '');
  if (text.length % 4 === 0) text = text.replace(/==?$/, '');
  if (text.length % 4 === 1 || /[^A-Za-z0-9+/]/.test(text)) {
    throw new DOMException('The text is not base64.', 'InvalidCharacterError');
  }
  let decoded = '';
  let bits = 0;
  let count = 0;
  for (const character of text) {
    bits = ((bits << 6) | (codes.get(character) ?? 0)) & 0xfff;
    count += 6;
    if (count < 8) continue;
    count -= 8;
    decoded += String.fromCharCode((bits >> count) & 255);
  }
  return decoded;
}

function letter(bits: number): string {
  return alphabet.charAt(bits & 63);
}
