import { kvLimits } from '../../../plugin-api/server/index.ts';
import { KernelError } from '../../errors.ts';
import { assertStorable } from '../stored-text.ts';

/** The longest key, in characters. */
export const longestKey = kvLimits.keyLength;

/** Refuses a key that is too long, or that a database would not store unchanged. */
export function assertKey(key: string, name = 'key'): void {
  if (key.length > longestKey && Array.from(key).length > longestKey) {
    throw new KernelError(
      'invalid_argument',
      `The ${name} is longer than ${longestKey} characters.`,
    );
  }
  assertStorable(key, name);
}

const lastCodePoint = 0x10ffff;
const firstSurrogate = 0xd800;
const afterSurrogates = 0xe000;

/**
 * The first text in code point order after all texts that begin with `prefix`; `null` when there is
 * none.
 */
export function endOfPrefix(prefix: string): string | null {
  const points = Array.from(prefix);
  while (points.length > 0) {
    const next = (points.pop()?.codePointAt(0) ?? lastCodePoint) + 1;
    if (next > lastCodePoint) continue;
    const end = next === firstSurrogate ? afterSurrogates : next;
    return points.join('') + String.fromCodePoint(end);
  }
  return null;
}
