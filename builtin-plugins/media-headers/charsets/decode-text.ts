/**
 * The text of bytes: by a byte order mark, by the zeros of UTF-16, as UTF-8 if they are valid, by what
 * the text itself says, or else by the letters that each encoding would give.
 */
import { byteOrderMark, wideOrder } from './wide.ts';
import { charsetNamed, decodeAs } from './decoders.ts';
import { guessCharset } from './guess.ts';

/** Decodes the bytes. The language, if known, decides where the letters do not. */
export function decodeText(bytes: Uint8Array, language: string | null): string {
  const mark = byteOrderMark(bytes);
  if (mark !== undefined) return new TextDecoder(mark).decode(bytes);
  const wide = wideOrder(bytes);
  if (wide !== undefined) return new TextDecoder(wide).decode(bytes);
  if (isIso2022Jp(bytes)) return decodeAs(bytes, 'iso-2022-jp').text;
  if (isUtf8(bytes, 'cut')) return new TextDecoder('utf-8').decode(bytes);
  const charset = declared(bytes) ?? guessCharset(bytes, language);
  return decodeAs(bytes, charset).text;
}

/**
 * Decodes texts that belong together, such as the tags of a file, in one encoding: each alone is too
 * short to tell. Those that are UTF-8 are read as that.
 */
export function decodeTogether(texts: readonly Uint8Array[]): (bytes: Uint8Array) => string {
  const old = texts.filter((bytes) => !isUtf8(bytes, 'whole'));
  const charset = guessCharset(joined(old), null);
  return (bytes) => {
    if (isIso2022Jp(bytes)) return decodeAs(bytes, 'iso-2022-jp').text;
    return isUtf8(bytes, 'whole')
      ? new TextDecoder('utf-8').decode(bytes)
      : decodeAs(bytes, charset).text;
  };
}

/** Decodes one text of a format that does not say its encoding. */
export const decodeAlone = (bytes: Uint8Array): string => decodeTogether([bytes])(bytes);

function joined(texts: readonly Uint8Array[]): Uint8Array {
  const made = new Uint8Array(texts.reduce((sum, { length }) => sum + length + 1, 0));
  let at = 0;
  for (const text of texts) {
    made.set(text, at);
    at += text.length + 1;
    made[at - 1] = 0x0a;
  }
  return made;
}

/** Seven bits a byte, and an escape sequence before each pair of bytes (RFC 1468). */
function isIso2022Jp(bytes: Uint8Array): boolean {
  const escape = bytes.indexOf(0x1b);
  if (escape === -1) return false;
  const [, second, third] = bytes.subarray(escape, escape + 3);
  return second === 0x24 && (third === 0x40 || third === 0x42) && !bytes.some((one) => one > 0x7f);
}

/** A few broken characters do not make it another encoding: by chance, other text is rarely valid. */
const mostBroken = 0.02;

/** The last character of a file may be cut off; one of a short text is rather of another encoding. */
function isUtf8(bytes: Uint8Array, last: 'whole' | 'cut'): boolean {
  let [valid, broken] = [0, 0];
  // A character that is not ASCII has two bytes at least: what is left cannot make up for more.
  const isLost = (at: number): boolean => broken > (valid + (bytes.length - at) / 2) * mostBroken;
  for (let at = 0; at < bytes.length;) {
    const first = bytes[at] ?? 0;
    if (first < 0x80) {
      at++;
      continue;
    }
    if (isLost(at)) return false;
    const length = first >= 0xf0 && first < 0xf5 ? 4 : first >= 0xe0 ? 3 : first >= 0xc2 ? 2 : 0;
    let end = at + 1;
    while (end < at + length && ((bytes[end] ?? 0) & 0xc0) === 0x80) end++;
    const isWhole = end === at + length || (last === 'cut' && end === bytes.length);
    if (length > 0 && isWhole) valid++;
    else broken++;
    at = end;
  }
  return broken <= valid * mostBroken;
}

/** The encoding that an XML declaration or an HTML head names, if it is one of ours. */
function declared(bytes: Uint8Array): ReturnType<typeof charsetNamed> {
  const head = String.fromCharCode(...bytes.subarray(0, 2000));
  const name = /(?:encoding|charset)\s*=\s*["']?([\w-]{3,20})/i.exec(head)?.[1];
  return name === undefined ? undefined : charsetNamed(name);
}
