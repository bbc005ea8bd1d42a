import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { box, segment, two } from '../../../test/support/media/picture-subtitles.ts';
import { createSupWriter } from './sup-writer.ts';

/** What a container has: the segments without their heads of ten bytes. */
function blockOf(sup: Buffer): Uint8Array {
  const parts: Buffer[] = [];
  for (let at = 0; at < sup.length;) {
    const end = at + 13 + sup.readUInt16BE(at + 11);
    parts.push(sup.subarray(at + 10, end));
    at = end;
  }
  return Buffer.concat(parts);
}

function write(block: Uint8Array, ms = 2000): Buffer {
  const writer = createSupWriter();
  writer.add(block, ms);
  expect(writer.length()).toBe(writer.bytes().length);
  return Buffer.from(writer.bytes());
}

/** The kinds of the segments, and the state of each composition. */
function kindsOf(sup: Buffer): readonly string[] {
  const kinds: string[] = [];
  for (let at = 0; at < sup.length; at += 13 + sup.readUInt16BE(at + 11)) {
    const kind = sup.readUInt8(at + 10).toString(16);
    kinds.push(kind === '16' ? `${kind}/${sup.readUInt8(at + 13 + 7).toString(16)}` : kind);
  }
  return kinds;
}

const whole = box(2, 4);
const ending = whole.indexOf(segment(4, 0x16, []).subarray(0, 11));
const shown = whole.subarray(0, ending);

/** The set that shows, with one of its segments changed or left out. */
function changed(
  kind: number,
  change: (data: Buffer) => readonly number[] | Buffer | null,
): Uint8Array {
  const block = Buffer.from(blockOf(shown));
  const parts: Buffer[] = [];
  for (let at = 0; at < block.length;) {
    const end = at + 3 + block.readUInt16BE(at + 1);
    const data = block.subarray(at + 3, end);
    const made = block[at] === kind ? change(data) : data;
    if (made !== null) parts.push(segment(0, block[at] ?? 0, [...made]).subarray(10));
    at = end;
  }
  return Buffer.concat(parts);
}

const put = (data: Buffer, at: number, ...bytes: readonly number[]): readonly number[] => {
  const all = [...data];
  all.splice(at, bytes.length, ...bytes);
  return all;
};

describe('blocks as a .sup file', () => {
  test('are what they were before they were put into a container', () => {
    expect(write(blockOf(shown))).toEqual(shown);
  });

  test('have the time of their block', () => {
    expect(write(blockOf(shown), 5_400_000).readUInt32BE(2)).toBe(90 * 5_400_000);
    expect(write(blockOf(shown), -5).readUInt32BE(2)).toBe(0);
  });

  test('end each set, also one without an end', () => {
    const block = changed(0x80, () => null);
    expect(kindsOf(write(block))).toEqual(['16/80', '17', '14', '15', '80']);
  });

  test('say of a set that needs no older one that it needs none', () => {
    const block = changed(0x16, (data) => put(data, 7, 0));
    expect(kindsOf(write(block))).toEqual(['16/40', '17', '14', '15', '80']);
    // What only takes the picture away follows another one.
    expect(kindsOf(write(blockOf(whole.subarray(ending)), 4000))).toEqual(['16/0', '17', '80']);
  });

  const object = 0x15;
  test.each([
    [
      'an object larger than its runs may draw',
      object,
      (data: Buffer) => put(data, 7, ...two(4), ...two(4)),
    ],
    [
      'an object of four thousand million pixels',
      object,
      (data: Buffer) => put(data, 7, 255, 255, 255, 255),
    ],
    ['an object whose runs are cut short', object, (data: Buffer) => data.subarray(0, -1)],
    ['an object without its start', object, (data: Buffer) => put(data, 3, 0x40)],
    ['a palette that is cut short', 0x14, (data: Buffer) => data.subarray(0, -1)],
    ['windows that are cut short', 0x17, (data: Buffer) => data.subarray(0, -1)],
    ['a canvas of 65,535 lines', 0x16, (data: Buffer) => put(data, 2, 255, 255)],
    ['more compositions than it has', 0x16, (data: Buffer) => put(data, 10, 3)],
    [
      '200 compositions',
      0x16,
      (data: Buffer) => [...put(data, 10, 200), ...Array.from({ length: 1600 }, () => 0)],
    ],
    ['no composition', 0x16, () => null],
  ])('leave out a set with %s', (_, kind, change) => {
    expect(write(changed(kind, change))).toEqual(Buffer.alloc(0));
  });

  test('leave out sets that define an object again without being whole', () => {
    const again = changed(0x14, () => null);
    const follower = Buffer.from(again);
    follower[10] = 0;
    const writer = createSupWriter();
    writer.add(blockOf(shown), 2000);
    writer.add(follower, 3000);
    expect(kindsOf(Buffer.from(writer.bytes()))).toEqual(['16/80', '17', '14', '15', '80']);
  });

  test('are bounded by their input, for any bytes', () => {
    const block = Buffer.from(blockOf(whole));
    fc.assert(
      fc.property(fc.array(fc.tuple(fc.nat(block.length - 1), fc.nat(255))), (changes) => {
        const damaged = Buffer.from(block);
        for (const [at, value] of changes) damaged[at] = value;
        const sup = write(damaged);
        expect(sup.length).toBeLessThan(block.length * 5 + 100);
        for (const kind of kindsOf(sup)) expect(kind).toMatch(/^(14|15|16\/[0-9a-f]+|17|80)$/);
      }),
    );
  });
});
