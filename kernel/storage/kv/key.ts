import { KernelError } from '../../errors.ts';

/** The longest key, in characters. */
export const longestKey = 512;

/** Refuses a key that no database would keep exactly as it is. */
export function assertKey(key: string, name = 'key'): void {
  if (key.length > longestKey && [...key].length > longestKey) {
    throw new KernelError(
      'invalid_argument',
      `The ${name} is longer than ${longestKey} characters.`,
    );
  }
  if (key.includes('\0')) {
    throw new KernelError('invalid_argument', `The ${name} has a NUL character in it.`);
  }
  if (!key.isWellFormed()) {
    throw new KernelError(
      'invalid_argument',
      `The ${name} is no valid text: half of a surrogate pair stands alone in it.`,
    );
  }
}

const lastCodePoint = 0x10ffff;
const firstSurrogate = 0xd800;
const afterSurrogates = 0xe000;

/**
 * The first text, in the order of code points, that is after everything that begins with `prefix`;
 * `null` when nothing is.
 */
export function endOfPrefix(prefix: string): string | null {
  const points = [...prefix];
  while (points.length > 0) {
    const next = (points.pop()?.codePointAt(0) ?? lastCodePoint) + 1;
    if (next > lastCodePoint) continue;
    const end = next === firstSurrogate ? afterSurrogates : next;
    return points.join('') + String.fromCodePoint(end);
  }
  return null;
}
