/**
 * Words within one edit of a text. One edit touches either the first or the second half of the text,
 * or swaps the two characters at the border between them. So every such word begins with the first
 * half, or ends with the second, or is the swapped text: three ranges of an index, each over words of
 * nearly the same length, hold all candidates.
 */

/** Where to find words near a text. Ends are exclusive; `null` = no end. */
export interface Neighbourhood {
  readonly lengths: readonly [number, number, number];
  readonly head: Range;
  /** Of the reversed word. */
  readonly tail: Range;
  readonly swapped: string;
}

/** Texts from `from` on and before `to`. */
export interface Range {
  readonly from: string;
  readonly to: string;
}

/** Sorts after every word, since no word has this character. */
const end = '\u{10ffff}';

/** The ranges of the words within one edit of `word`. */
export function neighbourhoodOf(word: string): Neighbourhood {
  const points = pointsOf(word);
  const half = Math.floor(points.length / 2);
  const head = points.slice(0, half).join('');
  const tail = points.slice(half).reverse().join('');
  return {
    lengths: [points.length - 1, points.length, points.length + 1],
    head: { from: head, to: head + end },
    tail: { from: tail, to: tail + end },
    swapped: half === 0 ? word : swapAt(points, half - 1),
  };
}

function swapAt(points: readonly string[], index: number): string {
  const pair = points.slice(index, index + 2).reverse();
  return [...points.slice(0, index), ...pair, ...points.slice(index + 2)].join('');
}

/** A word backwards, by code points. */
export function reversed(word: string): string {
  return pointsOf(word).reverse().join('');
}

/** The length of a word in code points. */
export function lengthOf(word: string): number {
  return isPlain(word) ? word.length : pointsOf(word).length;
}

/**
 * Whether `a` and `b` are equal or differ by one insertion, deletion, replacement or swap of
 * neighbours.
 */
export function isWithinOneEdit(a: string, b: string): boolean {
  const [left, right] = isPlain(a) && isPlain(b) ? [a, b] : [pointsOf(a), pointsOf(b)];
  if (Math.abs(left.length - right.length) > 1) return false;
  let start = 0;
  while (start < left.length && left[start] === right[start]) start += 1;
  let leftEnd = left.length;
  let rightEnd = right.length;
  while (leftEnd > start && rightEnd > start && left[leftEnd - 1] === right[rightEnd - 1]) {
    leftEnd -= 1;
    rightEnd -= 1;
  }
  const differing = Math.max(leftEnd, rightEnd) - start;
  if (differing <= 1) return true;
  const isSwap = left[start] === right[start + 1] && left[start + 1] === right[start];
  return differing === 2 && leftEnd === rightEnd && isSwap;
}

/** Whether each UTF-16 unit of a word is a character. */
function isPlain(word: string): boolean {
  return !/[\ud800-\udfff]/.test(word);
}

function pointsOf(word: string): string[] {
  return Array.from(word);
}
