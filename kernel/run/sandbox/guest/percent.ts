import { createUtf8Decoder, encodeUtf8 } from './utf8.ts';

/** The URL Standard's sets of characters that are percent-encoded, besides controls and non-ASCII. */
export const percentSets = {
  control: '',
  fragment: ' "<>`',
  query: ' "#<>',
  specialQuery: ' "#<>\'',
  path: ' "#<>?^`{}',
  userinfo: ' "#<>?^`{}/:;=@[\\]|',
  component: ' "#<>?^`{}/:;=@[\\]|$&+,',
  form: ' "#<>?^`{}/:;=@[\\]|$&+,!\'()~%',
} as const;

/** Percent-encodes every character of the set. */
export function percentEncode(text: string, set: string): string {
  let encoded = '';
  for (const character of text) {
    const code = character.codePointAt(0) ?? 0;
    if (code > 0x1f && code < 0x7f && !set.includes(character)) encoded += character;
    else for (const byte of encodeUtf8(character)) encoded += `%${hex(byte)}`;
  }
  return encoded;
}

/** Decodes every `%XX`; bytes that are not UTF-8 become U+FFFD. */
export function percentDecode(text: string): string {
  if (!text.includes('%')) return text;
  const bytes = encodeUtf8(text);
  let length = 0;
  for (let index = 0; index < bytes.length; index++) {
    const byte = bytes[index] ?? 0;
    const value = byte === 0x25 ? hexPair(bytes[index + 1], bytes[index + 2]) : undefined;
    bytes[length++] = value ?? byte;
    if (value !== undefined) index += 2;
  }
  return createUtf8Decoder(false).push(bytes.subarray(0, length), true);
}

function hexPair(high: number | undefined, low: number | undefined): number | undefined {
  if (high === undefined || low === undefined) return undefined;
  const pair = String.fromCharCode(high, low);
  return /^[0-9a-f]{2}$/i.test(pair) ? parseInt(pair, 16) : undefined;
}

function hex(byte: number): string {
  return byte.toString(16).toUpperCase().padStart(2, '0');
}
