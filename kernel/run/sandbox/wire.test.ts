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

/** The frames that a reader gives for bytes in pieces of this size, or its fault. */
function read(bytes: Buffer, pieceBytes: number): unknown[] | string {
  const found: unknown[] = [];
  const reader = createBatchReader({ onFrame: (frame) => found.push(frame) > 0 });
  for (let start = 0; start < bytes.length; start += pieceBytes) {
    const fault = reader.push(bytes.subarray(start, start + pieceBytes));
    if (fault !== null) return fault;
  }
  return found;
}

/** A batch with this header and no bodies, as a process in the hands of an attacker sends it. */
function batchOf(header: string, bodies = ''): Buffer {
  const lengths = Buffer.alloc(8);
  lengths.writeUInt32LE(4 + header.length + bodies.length, 0);
  lengths.writeUInt32LE(header.length, 4);
  return Buffer.concat([lengths, Buffer.from(header + bodies)]);
}

const list = (count: number, value: string): string => `[${new Array(count).fill(value).join()}]`;

describe('the channel', () => {
  test('returns every frame in order, for any pieces', () => {
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

  test('never throws on foreign bytes', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 200 }), (bytes) => {
        read(Buffer.from(bytes), 7);
      }),
    );
  });

  test.each([
    ['a batch above its limit', [limits.batchBytes + 1], 'a batch of 9437189 bytes, above 9437188'],
    ['a batch without room for a header', [5], 'a batch of 5 bytes, which is too short'],
    [
      'a header above its limit',
      [limits.batchBytes, limits.headerBytes + 1],
      'a header of 1048577 bytes, above 1048576',
    ],
    ['a header longer than its batch', [100, 97], 'a header that is longer than its batch'],
  ])('gives up on %s without waiting for it', (_, lengths, reason) => {
    const bytes = Buffer.alloc(4 * lengths.length);
    lengths.forEach((length, at) => bytes.writeUInt32LE(length, 4 * at));

    expect(read(bytes, 3)).toBe(reason);
  });

  test.each([
    ['a list of too many frames', list(4097, '{}'), 'a batch of 4097 frames, above 4096'],
    ['too many values', list(300_000, '1'), 'a header that holds more than 100000 values'],
    ['a nested list', '[{"a":[[[1]]]}]', 'a header that is nested more than 4 levels deep'],
    ['no frame', '[]', 'a batch without frames'],
    ['an object', '{"kind":"ready"}', 'a header that is not a list'],
    ['no JSON', '[{]', 'a header that is not a list'],
  ])('gives up on a header with %s', (_, header, reason) => {
    expect(read(batchOf(header), 1 << 20)).toBe(reason);
  });

  test('gives up on bodies that do not fill the batch, or that are more than it holds', () => {
    expect(read(batchOf('[{"body":1}]', 'ab'), 100)).toBe(
      'bytes in a batch that belong to no frame',
    );
    for (const length of ['2', '-3', '1.5', '1e99', 'null', '"1"']) {
      expect(read(batchOf(`[{"body":${length}}]`, 'a'), 100)).toBe(
        'a body that its batch has no room for',
      );
    }
  });

  test('gives up on a long text that is not UTF-8', () => {
    const body = Buffer.alloc(100_000, 0xc3);
    const bytes = Buffer.concat([batchOf('[{"body":100000}]', ' '.repeat(100_000))]);
    body.copy(bytes, bytes.length - body.length);

    expect(read(bytes, bytes.length)).toBe('a text that is not UTF-8');
  });

  test('accepts as many frames and values as its limits allow', () => {
    expect(read(batchOf(list(4096, '{}')), 1 << 20)).toHaveLength(4096);
    expect(read(batchOf(`[{"a":${list(99_996, '1')}}]`), 1 << 20)).toHaveLength(1);
  });

  test('decodes no frame while it rests', () => {
    const found: unknown[] = [];
    const reader = createBatchReader({ onFrame: (frame) => found.push(frame) === 5 });
    const bytes = Buffer.concat([batchOf('[1,2]'), batchOf('[3]'), batchOf('[4,5,6]')]);

    expect(reader.push(bytes)).toBeNull();
    expect({ found, isResting: reader.isResting() }).toEqual({ found: [1], isResting: true });
    expect(reader.push(batchOf('[7]'))).toBeNull();
    expect(found).toEqual([1]);
    for (const next of [2, 3, 4]) {
      expect(reader.goOn()).toBeNull();
      expect(found.at(-1)).toBe(next);
    }
    reader.goOn();
    expect({ found, isResting: reader.isResting() }).toEqual({
      found: [1, 2, 3, 4, 5, 6],
      isResting: true,
    });
    reader.goOn();
    expect(found).toEqual([1, 2, 3, 4, 5, 6, 7]);
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

  test.each([
    ['many frames', 20_000, { kind: 'stop', sandbox: 1 }],
    ['texts that grow sixfold', 2000, { kind: 'log', text: '\u0001'.repeat(2000) }],
    ['long services', 20, { kind: 'start', services: '\u4e00'.repeat(100_000), body: 'x' }],
    ['bodies of wide characters', 40, { kind: 'returned', body: '\u4e00'.repeat(100_000) }],
    ['bodies at the limit', 3, { kind: 'returned', body: 'x'.repeat(limits.bodyBytes) }],
  ])('never sends a batch that its other end refuses: %s', (_, count, frame) => {
    const bytes = Buffer.concat(encodeBatches(new Array<typeof frame>(count).fill(frame)));

    const got = read(bytes, bytes.length);

    expect(got).toHaveLength(count);
    expect((got as unknown[]).at(-1)).toEqual(frame);
  });
});

describe('a frame', () => {
  const call = {
    kind: 'call',
    sandbox: 1,
    call: 1,
    method: 'ping',
    viewer: '',
    timeoutMs: 5,
    body: '{}',
  };

  test('is accepted when every field is valid', () => {
    expect(parseHostFrame(call)).toBe(call);
    expect(parseKernelFrame({ kind: 'ready' })).toEqual({ kind: 'ready' });
  });

  test.each([
    ['an id of zero', { ...call, sandbox: 0 }],
    ['an id that is not a whole number', { ...call, call: 1.5 }],
    ['an id as text', { ...call, call: '1' }],
    ['a time that is not a number', { ...call, timeoutMs: Number.NaN }],
    ['a body that is an object', { ...call, body: {} }],
    [
      'a field too few',
      { kind: 'call', sandbox: 1, call: 1, method: 'ping', viewer: '', timeoutMs: 5 },
    ],
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
