import { expect, test } from 'vitest';
import { readEdits } from './edits.ts';

/** The content of a list: for each edit the ticks of the movie that it lasts, and where it begins. */
function list(...edits: readonly (readonly [length: number, from: number])[]): Uint8Array {
  const content = Buffer.alloc(8 + 12 * edits.length);
  content.writeUInt32BE(edits.length, 4);
  edits.forEach(([length, from], place) => {
    content.writeUInt32BE(length, 8 + 12 * place);
    content.writeInt32BE(from, 12 + 12 * place);
  });
  return content;
}

const scales = { scale: 12_288, movieScale: 1000 };
const second = 12_288;

test.each([
  ['no list', undefined, [[0, 0, Infinity]]],
  ['a beginning that is hidden', list([3000, 1024]), [[0, 1024, 3 * second]]],
  ['a pause in front', list([500, -1], [3000, 0]), [[second / 2, 0, 3 * second]]],
  ['a length that nobody knows', list([0, 1024]), [[0, 1024, Infinity]]],
  ['an end that is a pause', list([3000, 0], [700, -1]), [[0, 0, 3 * second]]],
  ['nothing but a pause', list([500, -1]), [[second / 2, 0, Infinity]]],
  ['edits that go on where the last one ends', list([1001, 0], [999, 12_300]), [[0, 0, 24_576]]],
  [
    'a part that is left out',
    list([2000, 0], [3000, 4 * second]),
    [
      [0, 0, 2 * second],
      [2 * second, 4 * second, 3 * second],
    ],
  ],
  ['a list that is cut short', list([3000, 1024], [9, 9]).subarray(0, 25), [[0, 1024, 36_864]]],
])('reads %s', (_, content, edits) => {
  const read = readEdits(content, scales);

  expect(read.map(({ shownFrom, from, length }) => [shownFrom, from, Math.round(length)])).toEqual(
    edits,
  );
});
