/** UTF-16 and UTF-8 by their first bytes, and UTF-16 without a mark. */

type Marked = 'utf-8' | 'utf-16le' | 'utf-16be';

/** The encoding that a byte order mark names. */
export function byteOrderMark([first, second, third]: Uint8Array): Marked | undefined {
  if (first === 0xef && second === 0xbb && third === 0xbf) return 'utf-8';
  if (first === 0xff && second === 0xfe) return 'utf-16le';
  if (first === 0xfe && second === 0xff) return 'utf-16be';
  return undefined;
}

const sampleBytes = 64 * 1024;

/**
 * The order of UTF-16 without a mark. Times, spaces and line ends have a zero in one byte of two, in
 * any script; a text of another encoding has hardly any zero.
 */
export function wideOrder(bytes: Uint8Array): 'utf-16le' | 'utf-16be' | undefined {
  const sample = bytes.subarray(0, Math.min(sampleBytes, bytes.length - (bytes.length % 2)));
  if (sample.length < 8) return undefined;
  let [even, odd] = [0, 0];
  for (let at = 0; at < sample.length; at += 2) {
    if (sample[at] === 0) even++;
    if (sample[at + 1] === 0) odd++;
  }
  const pairs = sample.length / 2;
  if (odd > pairs * 0.15 && even * 8 < odd) return 'utf-16le';
  if (even > pairs * 0.15 && odd * 8 < even) return 'utf-16be';
  return undefined;
}
