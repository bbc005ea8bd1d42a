/** Makes boxes of ISO/IEC 14496-12. */
import { joined } from '../../media-headers/bytes/joined.ts';

/** A box with its content. */
export function box(type: string, ...content: readonly Uint8Array[]): Uint8Array {
  const body = joined(content);
  const made = new Uint8Array(8 + body.length);
  new DataView(made.buffer).setUint32(0, made.length);
  for (let at = 0; at < 4; at++) made[4 + at] = type.charCodeAt(at);
  made.set(body, 8);
  return made;
}

/** A box that begins with a version and flags. */
export function fullBox(
  type: string,
  { version = 0, flags = 0 }: { readonly version?: number; readonly flags?: number },
  ...content: readonly Uint8Array[]
): Uint8Array {
  return box(type, numbers(4, version * 0x1000000 + flags), ...content);
}

/** Whole numbers of one to eight bytes each, big endian. */
export function numbers(width: 1 | 2 | 3 | 4 | 8, ...values: readonly number[]): Uint8Array {
  const made = new Uint8Array(width * values.length);
  values.forEach((value, place) => {
    let rest = value < 0 ? value + 256 ** width : value;
    for (let at = width - 1; at >= 0; at--) {
      made[place * width + at] = rest % 256;
      rest = Math.floor(rest / 256);
    }
  });
  return made;
}

/** Characters of ASCII. */
export function letters(text: string): Uint8Array {
  return Uint8Array.from(text, (character) => character.charCodeAt(0) & 0x7f);
}

/** Bytes of zeros. */
export const zeros = (count: number): Uint8Array => new Uint8Array(count);
