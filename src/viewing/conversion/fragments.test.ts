import { expect, test } from 'vitest';
import { soundAssembler } from './assembler.ts';
import { fragmentsOf, NotFragments, type FoundFragment } from './fragments.ts';
import { packedSegment } from './packed-segment.ts';

const frame = 1024;
const packets = (count: number): readonly Buffer[] =>
  Array.from({ length: count }, (_, at) => Buffer.alloc(3 + at, at));
const segment = (time: number, count = 1): Buffer => {
  const bytes = packedSegment({ sequence: 1, time: 0, frame, packets: packets(count) });
  bytes.writeBigInt64BE(BigInt(time), bytes.indexOf('tfdt') + 8);
  return bytes;
};

function box(type: string, body: Buffer): Buffer {
  const head = Buffer.alloc(8);
  head.writeUInt32BE(8 + body.length);
  head.write(type, 4, 'latin1');
  return Buffer.concat([head, body]);
}

const head = Buffer.concat([box('ftyp', Buffer.alloc(4)), box('moov', Buffer.alloc(9))]);

async function split(bytes: Buffer, step: number) {
  const parts = Array.from({ length: Math.ceil(bytes.length / step) }, (_, at) =>
    bytes.subarray(at * step, (at + 1) * step),
  );
  async function* output(): AsyncGenerator<Buffer> {
    yield* parts;
  }
  const found = [];
  for await (const one of fragmentsOf(output())) found.push(one);
  return found;
}

test.each([1, 7, 64, 100_000])('fragments are found in parts of %i bytes', async (step) => {
  const found = await split(Buffer.concat([head, segment(2048), segment(3072, 2)]), step);

  expect(found).toMatchObject([
    { kind: 'head', bytes: head },
    { kind: 'fragment', time: 2048, bytes: segment(2048) },
    { kind: 'fragment', time: 3072 },
  ]);
});

test('a time before 0 is below 0, and one beyond 32 bits is whole', async () => {
  const found = await split(Buffer.concat([segment(-1024), segment(2 ** 40)]), 50);

  expect(found).toMatchObject([{ time: -1024 }, { time: 2 ** 40 }]);
});

const huge = Buffer.alloc(8);
huge.writeUInt32BE(0xfffffff0);
huge.write('moof', 4);

test.each([
  ['a box of 4 GB', huge],
  ['a box without a size', Buffer.from('\0\0\0\0moof')],
  ['a fragment without an index', box('mdat', Buffer.alloc(8))],
  ['an index without a time', Buffer.concat([box('moof', Buffer.alloc(30)), box('mdat', head)])],
  ['a box that is not whole', segment(0).subarray(0, 90)],
  ['another format', Buffer.from('RIFF1234WAVEfmt and so on')],
])('%s is refused', async (_, bytes) => {
  await expect(split(bytes, 16)).rejects.toThrow(NotFragments);
});

const timeline = { starts: [0, 1_000_000, 2_000_000, 4_000_000], end: 5_000_000 };

function soundFrom(from: number, until: number, first: number, last: number) {
  const assembler = soundAssembler({ timeline, from, until }, 48_000, frame);
  const made = [];
  for (let time = first; time <= last; time += frame) {
    const bytes = segment(time);
    const fragment: FoundFragment = {
      ...{ kind: 'fragment', time, bytes },
      packetsAt: bytes.length - 3,
    };
    made.push(...assembler.add(fragment));
  }
  return [...made, ...assembler.end()];
}

test('sound from two places is cut at the same packets, and what leads in is left out', () => {
  const straight = soundFrom(0, 4, -1024, 239_616);
  const later = soundFrom(2, 4, 47_104, 239_616);

  expect(straight.map(({ n }) => n)).toEqual([0, 1, 2, 3]);
  expect(later.map(({ n }) => n)).toEqual([2, 3]);
  expect(later).toEqual(straight.slice(2));
});

test('a segment without packets is an empty run, not a failure', () => {
  const [, , third] = soundFrom(0, 4, 0, 30 * frame);

  expect(third?.bytes.indexOf('trun')).toBeGreaterThan(0);
  expect(third?.bytes.readUInt32BE((third.bytes.indexOf('trun') ?? 0) + 8)).toBe(0);
});
