import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { fitsChannel, parseHostFrame, parseKernelFrame } from './frames.ts';
import { limits } from './limits.ts';
import { createBatchReader, encodeBatches } from './wire.ts';

const frames = fc.array(
  fc.record(
    {
      kind: fc.string(),
      call: fc.nat(),
      text: fc.string({ unit: 'binary' }),
      body: fc.oneof(fc.string({ unit: 'grapheme' }), fc.uint8Array()),
    },
    { requiredKeys: ['kind'] },
  ),
  { minLength: 1 },
);

/** What a reader makes of bytes that come in pieces of this size; `undefined` when it gives up. */
function read(bytes: Buffer, pieceBytes: number): unknown[] | undefined {
  const found: unknown[] = [];
  const reader = createBatchReader((frame) => found.push(frame));
  for (let start = 0; start < bytes.length; start += pieceBytes) {
    if (!reader.push(bytes.subarray(start, start + pieceBytes))) return undefined;
  }
  return found;
}

describe('the channel', () => {
  test('gives back every frame, in order, however its bytes are cut', () => {
    fc.assert(
      fc.property(frames, fc.integer({ min: 1, max: 100 }), (sent, pieceBytes) => {
        const got = read(Buffer.concat(encodeBatches(sent)), pieceBytes);
        const plain = (list: readonly object[]): unknown[] =>
          list.map((frame) => ({
            ...frame,
            ...('body' in frame && {
              body: typeof frame.body === 'string' ? frame.body : [...(frame.body as Uint8Array)],
            }),
          }));
        expect(plain(got as object[])).toEqual(plain(sent));
      }),
    );
  });

  test('never throws on bytes that are none of its own', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 200 }), (bytes) => {
        read(Buffer.from(bytes), 7);
      }),
    );
  });

  test('gives up at once on a batch above its limit, without waiting for it', () => {
    const length = Buffer.alloc(4);
    length.writeUInt32LE(limits.batchBytes + 1);
    expect(read(length, 4)).toBeUndefined();
  });

  test('sends many frames in few batches, each below the limit', () => {
    const body = 'x'.repeat(100_000);
    const batches = encodeBatches(Array.from({ length: 100 }, () => ({ kind: 'call', body })));
    expect(batches.length).toBeGreaterThan(5);
    expect(batches.length).toBeLessThan(15);
    const largest = encodeBatches([
      { kind: 'a', body: 'x'.repeat(limits.batchTargetBytes - 100) },
      { kind: 'a', body: new Uint8Array(limits.bodyBytes) },
    ]);
    for (const batch of [...batches, ...largest]) {
      expect(batch.length).toBeLessThan(limits.batchBytes);
    }
  });
});

describe('a frame', () => {
  const call = { kind: 'call', sandbox: 1, call: 1, method: 'ping', timeoutMs: 5, body: '{}' };

  test('is what it says when every field fits', () => {
    expect(parseHostFrame(call)).toBe(call);
    expect(parseKernelFrame({ kind: 'ready' })).toEqual({ kind: 'ready' });
  });

  test.each([
    ['an id of zero', { ...call, sandbox: 0 }],
    ['an id that is no whole number', { ...call, call: 1.5 }],
    ['an id as text', { ...call, call: '1' }],
    ['a time that is no number', { ...call, timeoutMs: Number.NaN }],
    ['a body that is an object', { ...call, body: {} }],
    ['a field too few', { kind: 'call', sandbox: 1, call: 1, method: 'ping', timeoutMs: 5 }],
    ['a field too many', { ...call, more: 1 }],
    ['a kind of the other direction', { kind: 'ready' }],
    ['a kind named like a prototype', { kind: 'toString' }],
    ['no object', 'call'],
    ['nothing', null],
  ])('is refused with %s', (_, frame) => {
    expect(parseHostFrame(frame)).toBeUndefined();
  });

  test('measures a body in bytes, not in characters', () => {
    expect(fitsChannel('x'.repeat(limits.bodyBytes))).toBe(true);
    expect(fitsChannel('x'.repeat(limits.bodyBytes + 1))).toBe(false);
    expect(fitsChannel('\u4e00'.repeat(limits.bodyBytes / 3 + 1))).toBe(false);
    expect(fitsChannel(new Uint8Array(limits.bodyBytes + 1))).toBe(false);
  });
});
