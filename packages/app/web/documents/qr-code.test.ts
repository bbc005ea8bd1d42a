import { expect, test } from 'vitest';
import { formatOf, qrCode } from './qr-code.ts';

/** Read by another decoder as `Vitrine`. */
const vitrine = [
  '#######.#####.#######',
  '#.....#.#.#.#.#.....#',
  '#.###.#.#.....#.###.#',
  '#.###.#.####..#.###.#',
  '#.###.#.....#.#.###.#',
  '#.....#.##.#..#.....#',
  '#######.#.#.#.#######',
  '.........####........',
  '##..###..#.#...#.####',
  '...###.#.#.##......#.',
  '..#...#.##.#..###..#.',
  '#.###.....#..##.#...#',
  '.....#####..####.#..#',
  '........#...###.###.#',
  '#######...#.##..##.#.',
  '#.....#.#####..#...##',
  '#.###.#.#..#..####..#',
  '#.###.#..#.##...#.###',
  '#.###.#..#.#..#.###..',
  '#.....#.#.#..##.#....',
  '#######.##..###.#...#',
];

/** The format information of error correction L, of ISO/IEC 18004, by mask. */
const formats = [
  '111011111000100',
  '111001011110011',
  '111110110101010',
  '111100010011101',
  '110011000101111',
  '110001100011000',
  '110110001000001',
  '110100101110110',
];

test('a text is drawn as other decoders read it', () => {
  const rows = qrCode('Vitrine')?.map((row) => row.map((dark) => (dark ? '#' : '.')).join(''));
  expect(rows).toEqual(vitrine);
});

test('the format is that of the standard', () => {
  expect(formats.map((_, mask) => formatOf(mask).toString(2))).toEqual(formats);
});

test('a longer text has a larger code, up to 106 bytes', () => {
  const sizes = [17, 18, 32, 53, 78, 106].map((length) => qrCode('x'.repeat(length))?.length);
  expect(sizes).toEqual([21, 25, 25, 29, 33, 37]);
  expect(qrCode('x'.repeat(107))).toBeNull();
});
