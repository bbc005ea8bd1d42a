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
  if (isUtf8(bytes)) return new TextDecoder('utf-8').decode(bytes);
  const charset = declared(bytes) ?? guessCharset(bytes, language);
  return decodeAs(bytes, charset).text;
}

/** A few broken characters do not make it another encoding: by chance, other text is rarely valid. */
const mostBroken = 0.02;

function isUtf8(bytes: Uint8Array): boolean {
  let [valid, broken] = [0, 0];
  for (let at = 0; at < bytes.length;) {
    const first = bytes[at] ?? 0;
    if (first < 0x80) {
      at++;
      continue;
    }
    const length = first >= 0xf0 && first < 0xf5 ? 4 : first >= 0xe0 ? 3 : first >= 0xc2 ? 2 : 0;
    let end = at + 1;
    while (end < at + length && ((bytes[end] ?? 0) & 0xc0) === 0x80) end++;
    const isWhole = length > 0 && first < 0xf5 && (end === at + length || end === bytes.length);
    if (isWhole) valid++;
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
