/**
 * Words within one edit of a text. One edit touches either the first or the second half of the text,
 * or swaps the two characters at the border between them. So every such word begins with the first
 * half, or ends with the second, or is the swapped text: three ranges of an index, each over words of
 * nearly the same length, hold all candidates.
 */

/** Where to look for words near a text. Ends are exclusive; `null` = no end. */
export interface Neighbourhood {
  readonly lengths: readonly [number, number, number];
  readonly head: Range;
  /** Of the word, reversed. */
  readonly tail: Range;
  readonly swapped: string;
}

/** Texts from `from` on, before `to`. */
export interface Range {
  readonly from: string;
  readonly to: string;
}

/** After every text that can follow: no word holds this character. */
const end = '\u{10ffff}';

/** Where the words within one edit of `word` are. */
export function neighbourhoodOf(word: string): Neighbourhood {
  const points = [...word];
  const half = Math.floor(points.length / 2);
  const head = points.slice(0, half).join('');
  const tail = points.slice(half).reverse().join('');
  const border = [...points];
  border.splice(half - 1, 2, ...points.slice(Math.max(half - 1, 0), half + 1).reverse());
  return {
    lengths: [points.length - 1, points.length, points.length + 1],
    head: { from: head, to: head + end },
    tail: { from: tail, to: tail + end },
    swapped: half === 0 ? word : border.join(''),
  };
}

/** A word backwards, by code points. */
export function reversed(word: string): string {
  return [...word].reverse().join('');
}

/** How many code points a word has. */
export function lengthOf(word: string): number {
  let length = 0;
  for (const _ of word) length += 1;
  return length;
}

/** Whether one insertion, deletion, replacement or swap of neighbours, or nothing, makes `a` into `b`. */
export function isWithinOneEdit(a: string, b: string): boolean {
  const [left, right] = [[...a], [...b]];
  if (Math.abs(left.length - right.length) > 1) return false;
  let start = 0;
  while (start < left.length && left[start] === right[start]) start += 1;
  let endLeft = left.length;
  let endRight = right.length;
  while (endLeft > start && endRight > start && left[endLeft - 1] === right[endRight - 1]) {
    endLeft -= 1;
    endRight -= 1;
  }
  const [cutLeft, cutRight] = [endLeft - start, endRight - start];
  if (cutLeft <= 1 && cutRight <= 1) return true;
  return (
    cutLeft === 2 &&
    cutRight === 2 &&
    left[start] === right[start + 1] &&
    left[start + 1] === right[start]
  );
}
