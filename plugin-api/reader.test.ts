import { describe, expect, test } from 'vitest';
import {
  createReaders,
  ReaderError,
  type FileReader,
  type ReaderBudget,
  type ReadRangesInput,
} from './index.ts';

const block = 64 * 1024;
const budget: ReaderBudget = { bytes: 1024 * 1024, milliseconds: 1000 };

/** Files whose byte at each offset is the offset, and a record of the reads. */
function openFiles(sizes: Readonly<Record<string, number>>, now = () => 0) {
  const calls: ReadRangesInput['ranges'][] = [];
  const readers = createReaders({
    now,
    fs: {
      readRanges: async ({ ranges }) => {
        calls.push(ranges);
        return frame(
          ranges.map(({ uri, offset, length }) => {
            const size = sizes[uri];
            if (size === undefined) return null;
            const bytes = new Uint8Array(Math.max(0, Math.min(length, size - offset)));
            return bytes.map((_, at) => (offset + at) % 251);
          }),
        );
      },
    },
  });
  const open = (uri: string, size: number, own: Partial<ReaderBudget> = {}): FileReader =>
    readers.open({ uri, size }, { ...budget, ...own });
  return { open, calls };
}

function frame(parts: readonly (Uint8Array | null)[]): Uint8Array {
  const whole = parts.flatMap((part) => {
    const head = Buffer.alloc(4);
    head.writeUInt32BE(part === null ? 0xffffffff : part.length);
    return [head, part ?? new Uint8Array(0)];
  });
  return new Uint8Array(Buffer.concat(whole));
}

async function failureOf(read: () => Uint8Array | Promise<unknown>): Promise<string> {
  try {
    await read();
    return 'nothing failed';
  } catch (error) {
    return error instanceof ReaderError ? error.code : String(error);
  }
}

describe('createReaders', () => {
  test('reads for many files in one call', async () => {
    const names = Array.from({ length: 32 }, (_, index) => `file:///${index}`);
    const { open, calls } = openFiles(Object.fromEntries(names.map((name) => [name, 1000])));

    const read = await Promise.all(names.map(async (name) => open(name, 1000).read(10, 2)));

    expect(calls.map((ranges) => ranges.length)).toEqual([32]);
    expect(read.map((bytes) => [...bytes])).toEqual(names.map(() => [10, 11]));
  });

  test('waits for awaits between an answer and the next read', async () => {
    const { open, calls } = openFiles({ 'file:///a': 10 * block, 'file:///b': 10 * block });
    const deep = async (reader: FileReader, levels: number): Promise<Uint8Array> =>
      levels === 0 ? reader.read(5 * block, 1) : await deep(reader, levels - 1);

    await Promise.all([
      deep(open('file:///a', 10 * block), 1),
      deep(open('file:///b', 10 * block), 6),
    ]);

    expect(calls).toHaveLength(1);
  });

  test('sends no call of more than 64 ranges or 4 MiB', async () => {
    const size = 1024 * 1024;
    const names = Array.from({ length: 70 }, (_, index) => `file:///${index}`);
    const { open, calls } = openFiles(Object.fromEntries(names.map((name) => [name, size])));

    await Promise.all(names.map(async (name) => open(name, size).read(0, 1)));
    const small = calls.map((ranges) => ranges.length);
    await Promise.all(names.slice(0, 9).map(async (name) => open(name, size).read(0, size)));

    expect(small).toEqual([64, 6]);
    expect(calls.slice(2).map((ranges) => ranges.length)).toEqual([4, 4, 1]);
  });
});

describe('a reader', () => {
  test('fetches a block once and answers from it at once', async () => {
    const { open, calls } = openFiles({ 'file:///a': 10 * block });
    const reader = open('file:///a', 10 * block);
    await reader.read(0, 4);

    const again = reader.read(100, 3);

    expect(again).toEqual(Uint8Array.of(100, 101, 102));
    expect(calls).toEqual([[{ uri: 'file:///a', offset: 0, length: block }]]);
    expect(reader.bytesRead).toBe(block);
  });

  test('joins blocks that lie side by side, in one range', async () => {
    const { open, calls } = openFiles({ 'file:///a': 10 * block });
    const reader = open('file:///a', 10 * block);

    const bytes = await reader.read(block - 2, block + 4);

    expect(bytes).toEqual(new Uint8Array(block + 4).map((_, at) => (block - 2 + at) % 251));
    expect(calls).toEqual([[{ uri: 'file:///a', offset: 0, length: 3 * block }]]);
  });

  test('reads small pieces exactly, without the cache', async () => {
    const { open, calls } = openFiles({ 'file:///a': 10 * block });
    const reader = open('file:///a', 10 * block);
    const places = [0, 3, 6].map((number) => ({ offset: number * block, length: 2 }));

    const pieces = await reader.readPieces(places);

    expect(pieces.map((piece) => [...piece])).toEqual(
      places.map(({ offset }) => [offset % 251, (offset + 1) % 251]),
    );
    expect(calls).toHaveLength(1);
    expect(reader.bytesRead).toBe(6);
  });

  test('reads a large range whole, in ranges of 1 MiB', async () => {
    const size = 3 * 1024 * 1024;
    const { open, calls } = openFiles({ 'file:///a': size });

    const bytes = await open('file:///a', size, { bytes: size }).read(1, size - 1);

    const expected = new Uint8Array(size - 1).map((_, at) => (at + 1) % 251);
    expect(Buffer.compare(bytes, expected)).toBe(0);
    expect(calls.flat().every(({ length }) => length <= 1024 * 1024)).toBe(true);
  });

  test.each([
    ['behind the end', 8, 4],
    ['before the beginning', -1, 4],
    ['of a negative length', 4, -1],
    ['at no place at all', Number.NaN, 4],
  ])('refuses what lies %s as truncated', async (_, offset, length) => {
    const { open, calls } = openFiles({ 'file:///a': 10 });

    const code = await failureOf(() => open('file:///a', 10).read(offset, length));

    expect(code).toBe('truncated');
    expect(calls).toEqual([]);
  });

  test('says truncated of a file that has become shorter', async () => {
    const { open } = openFiles({ 'file:///a': 10 });

    const code = await failureOf(() => open('file:///a', 5000).read(2000, 4));

    expect(code).toBe('truncated');
  });

  test('says unreadable of a file that the host cannot read, and of that file alone', async () => {
    const { open } = openFiles({ 'file:///a': 10 });

    const codes = await Promise.all([
      failureOf(() => open('file:///gone', 10).read(0, 4)),
      failureOf(() => open('file:///a', 10).read(0, 4)),
    ]);

    expect(codes).toEqual(['unreadable', 'nothing failed']);
  });

  test('says unreadable when the host refuses', async () => {
    const readers = createReaders({
      fs: { readRanges: () => Promise.reject(new Error('Permission denied.')) },
    });
    const reader = readers.open({ uri: 'file:///a', size: 10 }, budget);

    await expect(reader.read(0, 4)).rejects.toEqual(
      new ReaderError('unreadable', 'Permission denied.'),
    );
  });

  test('fetches no byte above its budget, and allocates none', async () => {
    const { open, calls } = openFiles({ 'file:///a': 2 ** 40 });
    const reader = open('file:///a', 2 ** 40, { bytes: 2 * block });
    await reader.read(0, 1);
    await reader.read(block, 1);

    const codes = [
      await failureOf(() => reader.read(2 * block, 1)),
      await failureOf(() => reader.read(0, 2 ** 39)),
    ];

    expect(codes).toEqual(['over-budget', 'over-budget']);
    expect(calls).toHaveLength(2);
    expect(reader.bytesRead).toBe(2 * block);
  });

  test('ends a loop that only ever reads what is cached', async () => {
    const { open } = openFiles({ 'file:///a': 10 });
    const reader = open('file:///a', 10, { reads: 1000 });
    let reads = 0;

    const code = await failureOf(async () => {
      for (;;) {
        await reader.read(0, 4);
        reads++;
      }
    });

    expect([code, reads]).toEqual(['over-budget', 1000]);
  });

  test('gives up when its time is over', async () => {
    let time = 0;
    const { open } = openFiles({ 'file:///a': 10 * block }, () => time);
    const reader = open('file:///a', 10 * block, { milliseconds: 50 });
    await reader.read(0, 4);
    time = 51;

    const code = await failureOf(() => reader.read(5 * block, 4));

    expect(code).toBe('over-budget');
  });

  test('caches at most sixteen blocks, and always the first one', async () => {
    const size = 40 * block;
    const { open, calls } = openFiles({ 'file:///a': size });
    const reader = open('file:///a', size, { bytes: size * 2 });
    for (let index = 0; index < 40; index++) await reader.read(index * block, 1);

    const before = calls.length;
    await reader.read(0, 1);
    await reader.read(2 * block, 1);

    expect(calls.length - before).toBe(1);
  });
});
