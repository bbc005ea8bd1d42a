import { Writable, type Readable } from 'node:stream';
import { finished } from 'node:stream/promises';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { KernelError } from '../../../kernel/index.ts';
import { checkPlan, type CheckedPlan } from './checked-plan.ts';
import { copyPlan as copyInto, createReadMemory } from './copy-plan.ts';

const base64 = (text: string): string => Buffer.from(text).toString('base64');
const plan = (more: object): unknown => ({
  kind: 'planned',
  head: base64('head'),
  pieces: [],
  ...more,
});

function checked(more: object, size: number): CheckedPlan {
  const found = checkPlan(plan(more), size);
  if (typeof found === 'string') throw new Error(found);
  return found;
}

describe('a plan is refused', () => {
  test.each([
    ['a piece after the end of the file', { pieces: [[90, 11]] }, /Piece 0 is not inside/],
    ['a piece before the file', { pieces: [[-1, 5]] }, /Piece 0/],
    ['a piece of negative length', { pieces: [[5, -5]] }, /Piece 0/],
    ['a place that is not a number', { pieces: [['5', 5]] }, /Piece 0/],
    ['a place that is not whole', { pieces: [[0.5, 5]] }, /Piece 0/],
    ['a length beyond all numbers', { pieces: [[1, 2 ** 60]] }, /Piece 0/],
    [
      'a piece after the inserts',
      { inserts: base64('in'), pieces: [[1, 2, 'inserts']] },
      /Piece 0/,
    ],
    ['a piece of another file', { pieces: [[0, 1, 'file:///etc/passwd']] }, /Piece 0/],
    ['a piece that is not a place', { pieces: [{ offset: 0, length: 1 }] }, /Piece 0/],
    ['20 001 pieces', { pieces: Array.from({ length: 20_001 }, () => [0, 1]) }, /20000 pieces/],
    ['no pieces', { pieces: null }, /not a plan/],
    ['a head of other characters', { head: 'héad' }, /head is not base64/],
    ['a head above 2 MiB', { head: 'A'.repeat(3 * 1024 * 1024) }, /2 MiB/],
    ['inserts that are not text', { inserts: 5 }, /inserts/],
  ])('with %s', (_, more, why) => {
    expect(checkPlan(plan(more), 100)).toMatch(why);
  });

  test('with more than 64 MiB in all, though each piece is in the file', () => {
    const size = 40 * 1024 * 1024;

    expect(
      checkPlan(
        plan({
          pieces: [
            [0, size],
            [0, size],
          ],
        }),
        size,
      ),
    ).toMatch(/64 MiB/);
  });
});

describe('the bytes of a plan', () => {
  const memory = createReadMemory();
  const copyPlan = (plan: CheckedPlan, source: Parameters<typeof copyInto>[1]) =>
    copyInto(plan, source, memory);
  const content = Buffer.from(Array.from({ length: 5 * 1024 * 1024 }, (_, at) => at % 251));

  /** A file that counts how it is read. */
  function open(bytes = content) {
    const reads: number[] = [];
    const source = {
      closed: 0,
      reads,
      read: async (offset: number, length: number, into?: Buffer) => {
        reads.push(length);
        const room = into ?? Buffer.alloc(length);
        return room.subarray(0, bytes.copy(room, 0, offset, offset + length));
      },
      close: async () => void (source.closed += 1),
    };
    return source;
  }

  const textOf = async (stream: Readable): Promise<Buffer> =>
    Buffer.concat((await stream.toArray()) as Buffer[]);

  test('are the head, then the pieces in their order, of the file and of the inserts', async () => {
    const pieces = [
      [10, 3],
      [0, 2, 'inserts'],
      [200_000, 4],
      [5, 1],
      [2, 1, 'inserts'],
    ];
    const source = open();

    const sent = await textOf(
      await copyPlan(checked({ inserts: base64('abc'), pieces }, content.length), source),
    );

    const part = (from: number, length: number) => content.subarray(from, from + length);
    expect(sent).toEqual(
      Buffer.concat([
        Buffer.from('head'),
        part(10, 3),
        Buffer.from('ab'),
        part(200_000, 4),
        part(5, 1),
        Buffer.from('c'),
      ]),
    );
    expect(source.closed).toBe(1);
  });

  test('are in their order wherever they lie, many or few of what is read', async () => {
    const pieces = fc.array(
      fc.tuple(fc.nat(1_500_000), fc.oneof(fc.nat(200), fc.nat(90_000)), fc.boolean()),
      { maxLength: 40 },
    );
    await fc.assert(
      fc.asyncProperty(pieces, fc.boolean(), fc.nat(9), async (made, isSorted, every) => {
        const places = made
          .toSorted(([one], [other]) => (isSorted ? one - other : 0))
          // Some follow the one before them without a gap.
          .reduce<(readonly [number, number])[]>((all, [offset, length, follows]) => {
            const [from, before] = all.at(-1) ?? [0, 0];
            return [...all, [follows ? from + before : offset, length]];
          }, []);

        // In front of some, bytes that are made.
        const inserts = Buffer.from('bytes that are made');
        const all = places.flatMap((place, at) =>
          at % 10 < every ? [place] : [[at % 7, at % 11, 'inserts'], place],
        );

        const plan = checked({ inserts: inserts.toString('base64'), pieces: all }, content.length);
        const sent = await textOf(await copyPlan(plan, open()));

        const parts = all.map(([from = 0, length = 0, of]) =>
          (of === undefined ? content : inserts).subarray(
            Number(from),
            Number(from) + Number(length),
          ),
        );
        expect(sent.equals(Buffer.concat([Buffer.from('head'), ...parts]))).toBe(true);
      }),
      { numRuns: 200 },
    );
  });

  test('are right when they are piped through memory that is used again', async () => {
    const takings: Buffer[] = [];
    const counted = createReadMemory();
    const own = {
      ...counted,
      take: () => {
        const taken = counted.take();
        if (!takings.includes(taken)) takings.push(taken);
        return taken;
      },
    };
    const pieces = [
      [0, 300_000],
      [2, 3, 'inserts'],
      [400_000, 200_000],
      [0, 5, 'inserts'],
      [900_000, 3_000_000],
      [10, 5],
      [700_000, 9],
    ];
    const places = checked({ inserts: base64('inserts'), pieces }, content.length);
    const whole = await textOf(await copyPlan(places, open()));

    for (let time = 0; time < 3; time += 1) {
      const source = open();
      const stream = await copyInto(places, source, own);
      const seen: Buffer[] = [];
      // As a socket that is slow: what it got is read when the system takes it.
      const slow = new Writable({
        write: (block: Buffer, _, done) => {
          setImmediate(() => {
            seen.push(Buffer.from(block));
            done();
          });
        },
      });
      stream.pipe(slow);
      await Promise.all([finished(slow), finished(stream)]);

      expect([Buffer.concat(seen).equals(whole), source.closed]).toEqual([true, 1]);
    }
    // One for what is sent, and one for what is copied out.
    expect(takings.length).toBeLessThanOrEqual(2);
  });

  test('that are moved together are sent as one block, with what is made before and between them', async () => {
    const near = Array.from({ length: 20 }, (_, n) => [n * 50_000, 45_000]);
    const pieces = [...near.slice(0, 9), [0, 7, 'inserts'], ...near.slice(9)];
    const plan = checked({ inserts: base64('inserts'), pieces }, content.length);
    const stream = await copyPlan(plan, open());
    const blocks: number[] = [];
    for await (const block of stream) blocks.push((block as Buffer).length);

    expect(blocks).toEqual([900_011]);
  });

  test('that lie close together are read at once, at most 1 MiB at a time', async () => {
    const near = Array.from({ length: 500 }, (_, n) => [n * 1000, 100]);
    const source = open();
    await textOf(await copyPlan(checked({ pieces: near }, content.length), source));
    const long = open();
    await textOf(await copyPlan(checked({ pieces: [[7, 3_000_000]] }, content.length), long));

    expect(source.reads).toEqual([499_100]);
    expect(long.reads).toEqual([1_048_576, 1_048_576, 902_848]);
  });

  test('of a file that became shorter break the transfer, and close the file', async () => {
    const source = open(content.subarray(0, 1_500_000));
    const stream = await copyPlan(checked({ pieces: [[0, 3_000_000]] }, content.length), source);

    await expect(textOf(stream)).rejects.toBeInstanceOf(KernelError);
    expect(source.closed).toBe(1);
  });

  test('of a file that cannot be read at all reject before anything is sent', async () => {
    const source = {
      ...open(),
      read: () => Promise.reject(new KernelError('unreadable', 'The disk')),
    };
    let closed = 0;

    await expect(
      copyPlan(checked({ pieces: [[0, 9]] }, 100), {
        ...source,
        close: async () => void (closed += 1),
      }),
    ).rejects.toThrow('The disk');
    expect(closed).toBe(1);
  });

  test('that nobody takes any longer close the file', async () => {
    const source = open();
    const stream = await copyPlan(checked({ pieces: [[0, 4_000_000]] }, content.length), source);

    stream.destroy();
    await new Promise((resolve) => stream.once('close', resolve));

    expect(source.closed).toBe(1);
    expect(source.reads.length).toBeLessThan(3);
  });
});
