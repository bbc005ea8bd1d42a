/**
 * Base64url without padding (RFC 4648, section 5), strictly: each sequence of bytes has one
 * spelling.
 */
const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';
const valueOf = new Map(Array.from(alphabet, (letter, value) => [letter, value]));

export function toBase64url(bytes: Uint8Array): string {
  let text = '';
  let kept = 0;
  let keptBits = 0;
  for (const byte of bytes) {
    kept = (kept << 8) | byte;
    for (keptBits += 8; keptBits >= 6; keptBits -= 6) text += letterOf(kept >> (keptBits - 6));
    kept &= (1 << keptBits) - 1;
  }
  return keptBits === 0 ? text : text + letterOf(kept << (6 - keptBits));
}

const letterOf = (bits: number): string => alphabet.charAt(bits & 63);

/** The bytes; `null` when the text is not exactly what {@link toBase64url} returns for them. */
export function fromBase64url(text: string): Uint8Array<ArrayBuffer> | null {
  if (text.length % 4 === 1) return null;
  const bytes = new Uint8Array(Math.floor((text.length * 3) / 4));
  let kept = 0;
  let keptBits = 0;
  let length = 0;
  for (const letter of text) {
    const value = valueOf.get(letter);
    if (value === undefined) return null;
    kept = (kept << 6) | value;
    keptBits += 6;
    if (keptBits < 8) continue;
    keptBits -= 8;
    bytes[length] = kept >> keptBits;
    length += 1;
    kept &= (1 << keptBits) - 1;
  }
  return kept === 0 ? bytes : null;
}
