/** Codes that people read from one screen and type on another. */

/**
 * Consonants that cannot be taken for a digit or for each other's capital. Without vowels a code
 * spells no word.
 */
const alphabet = 'BCDFGHJKMNPQRSTVWXZ';
const length = 8;
/** Bytes from here on would make the first letters likelier than the others. */
const firstUneven = 256 - (256 % alphabet.length);

/** A code of 8 letters: 34 bits. */
export function newPairingCode(random: (count: number) => Buffer): string {
  let code = '';
  while (code.length < length)
    for (const byte of random(length))
      if (byte < firstUneven && code.length < length)
        code += alphabet.charAt(byte % alphabet.length);
  return code;
}

/** The code as a person typed it, with spaces, hyphens and small letters; `null` = it cannot be one. */
export function readPairingCode(typed: string): string | null {
  const code = typed.replaceAll(/[\s-]/g, '').toUpperCase();
  const isOne = code.length === length && Array.from(code).every((one) => alphabet.includes(one));
  return isOne ? code : null;
}
