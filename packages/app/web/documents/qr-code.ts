/**
 * QR codes for short addresses (ISO/IEC 18004): bytes, versions 1 to 5, error correction L. These
 * versions have one block of data, so there is nothing to interleave.
 */

/** Codewords of data and of error correction, by version. */
const versions = [
  [19, 7],
  [34, 10],
  [55, 15],
  [80, 20],
  [108, 26],
] as const;

/** Rows of dark (`true`) and light modules; `null` = the text is longer than 106 bytes. */
export function qrCode(text: string): readonly (readonly boolean[])[] | null {
  const bytes = new TextEncoder().encode(text);
  const at = versions.findIndex(([data]) => bytes.length + 2 <= data);
  const [data, correction] = versions[at] ?? [];
  if (data === undefined || correction === undefined) return null;
  const words = dataWords(bytes, data);
  const bits = [...words, ...correctionWords(words, correction)].flatMap((word) =>
    Array.from({ length: 8 }, (_, bit) => ((word >> (7 - bit)) & 1) === 1),
  );
  const drawn = masks.map((_, mask) => draw(at + 1, bits, mask));
  return drawn.reduce((best, one) => (penaltyOf(one) < penaltyOf(best) ? one : best));
}

/** The mode (bytes), the count, the bytes, the end, and the padding. */
function dataWords(bytes: Uint8Array, length: number): readonly number[] {
  const nibbles = [4, bytes.length >> 4, bytes.length & 15];
  for (const byte of bytes) nibbles.push(byte >> 4, byte & 15);
  nibbles.push(0);
  const words = Array.from(
    { length: nibbles.length / 2 },
    (_, at) => ((nibbles[at * 2] ?? 0) << 4) | (nibbles[at * 2 + 1] ?? 0),
  );
  for (let pad = 0; words.length < length; pad += 1) words.push(pad % 2 === 0 ? 0xec : 0x11);
  return words;
}

/** The product in the field of 256 elements over 0x11d. */
function product(one: number, other: number): number {
  let result = 0;
  for (let bit = 7; bit >= 0; bit -= 1) {
    result = (result << 1) ^ ((result >> 7) * 0x11d);
    if ((other >> bit) & 1) result ^= one;
  }
  return result & 255;
}

/** The remainder of the words by the polynomial whose roots are the first powers of 2. */
function correctionWords(words: readonly number[], count: number): readonly number[] {
  let divisor = [1];
  for (let power = 0, root = 1; power < count; power += 1, root = product(root, 2)) {
    const scaled = [0, ...divisor.map((factor) => product(factor, root))];
    divisor = [...divisor, 0].map((factor, at) => factor ^ (scaled[at] ?? 0));
  }
  const rest = [...words, ...Array<number>(count).fill(0)];
  for (let at = 0; at < words.length; at += 1) {
    const factor = rest[at] ?? 0;
    for (const [place, other] of divisor.entries())
      rest[at + place] = (rest[at + place] ?? 0) ^ product(other, factor);
  }
  return rest.slice(words.length);
}

const masks: readonly ((x: number, y: number) => boolean)[] = [
  (x, y) => (x + y) % 2 === 0,
  (_, y) => y % 2 === 0,
  (x) => x % 3 === 0,
  (x, y) => (x + y) % 3 === 0,
  (x, y) => (Math.floor(x / 3) + Math.floor(y / 2)) % 2 === 0,
  (x, y) => ((x * y) % 2) + ((x * y) % 3) === 0,
  (x, y) => (((x * y) % 2) + ((x * y) % 3)) % 2 === 0,
  (x, y) => (((x + y) % 2) + ((x * y) % 3)) % 2 === 0,
];

/** The 15 bits that name error correction L and the mask. */
export function formatOf(mask: number): number {
  const value = (1 << 3) | mask;
  let rest = value << 10;
  for (let bit = 14; bit >= 10; bit -= 1) if ((rest >> bit) & 1) rest ^= 0x537 << (bit - 10);
  return ((value << 10) | rest) ^ 0x5412;
}

function draw(
  version: number,
  bits: readonly boolean[],
  mask: number,
): readonly (readonly boolean[])[] {
  const size = 17 + version * 4;
  const grid: (boolean | undefined)[][] = Array.from({ length: size }, () =>
    Array<boolean | undefined>(size).fill(undefined),
  );
  const set = (x: number, y: number, isDark: boolean): void => {
    const row = grid[y];
    if (row !== undefined && x >= 0 && x < size) row[x] = isDark;
  };
  /** Squares in squares around a middle: the rings at these distances are light. */
  const square = (
    middleX: number,
    middleY: number,
    reach: number,
    light: readonly number[],
  ): void => {
    for (let y = -reach; y <= reach; y += 1)
      for (let x = -reach; x <= reach; x += 1)
        set(middleX + x, middleY + y, !light.includes(Math.max(Math.abs(x), Math.abs(y))));
  };
  for (let at = 8; at < size - 8; at += 1) {
    set(at, 6, at % 2 === 0);
    set(6, at, at % 2 === 0);
  }
  for (const [x, y] of [
    [3, 3],
    [size - 4, 3],
    [3, size - 4],
  ] as const)
    square(x, y, 4, [2, 4]);
  if (version > 1) square(size - 7, size - 7, 2, [1]);
  const format = formatOf(mask);
  for (let bit = 0; bit < 15; bit += 1) {
    const isDark = ((format >> bit) & 1) === 1;
    if (bit < 8) set(8, bit < 6 ? bit : bit + 1, isDark);
    else set(bit === 8 ? 7 : 14 - bit, 8, isDark);
    if (bit < 8) set(size - 1 - bit, 8, isDark);
    else set(8, size - 15 + bit, isDark);
  }
  set(8, size - 8, true);
  return fill(grid, bits, mask);
}

/** Puts the bits where nothing stands: in columns of two from the right, upwards and downwards in turn. */
function fill(
  grid: readonly (boolean | undefined)[][],
  bits: readonly boolean[],
  mask: number,
): readonly (readonly boolean[])[] {
  const size = grid.length;
  let [next, goesUp] = [0, true];
  for (let right = size - 1; right > 0; right -= 2) {
    if (right === 6) right = 5;
    for (let step = 0; step < size; step += 1) {
      const y = goesUp ? size - 1 - step : step;
      for (const x of [right, right - 1]) {
        const row = grid[y];
        if (row === undefined || row[x] !== undefined) continue;
        row[x] = (bits[next++] ?? false) !== (masks[mask]?.(x, y) ?? false);
      }
    }
    goesUp = !goesUp;
  }
  return grid.map((row) => row.map((one) => one === true));
}

/** How hard it is to read: long runs of one colour, and squares of one colour. */
function penaltyOf(grid: readonly (readonly boolean[])[]): number {
  let penalty = 0;
  const lines = [...grid, ...grid.map((_, at) => grid.map((row) => row[at] ?? false))];
  for (const line of lines)
    for (const run of line
      .map((dark) => (dark ? '1' : '0'))
      .join('')
      .match(/0{5,}|1{5,}/g) ?? [])
      penalty += run.length - 2;
  for (const [y, row] of grid.slice(1).entries())
    for (const [x, dark] of row.slice(1).entries())
      if (dark === row[x] && dark === grid[y]?.[x] && dark === grid[y]?.[x + 1]) penalty += 3;
  return penalty;
}
