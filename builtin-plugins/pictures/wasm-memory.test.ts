import { expect, test } from 'vitest';
import { exportsOf } from './wasm.ts';
import { withMemoryLimit } from './wasm-memory.ts';

const page = 65_536;

/** A module that exports a memory with these limits, in the form of the core specification. */
const moduleWith = (...limits: readonly number[]): Uint8Array<ArrayBuffer> =>
  Uint8Array.from([
    ...[0, 0x61, 0x73, 0x6d, 1, 0, 0, 0],
    ...[5, limits.length + 1, 1, ...limits],
    ...[7, 5, 1, 1, 0x6d, 2, 0],
  ]);

interface Memory {
  readonly buffer: ArrayBuffer;
  readonly grow: (pages: number) => number;
}

const memoryOf = (module: Uint8Array<ArrayBuffer>): Memory =>
  exportsOf<{ readonly m: Memory }>(new WebAssembly.Instance(new WebAssembly.Module(module), {})).m;

test.each([
  ['without a limit', [0, 1]],
  ['with a higher limit', [1, 1, 0x80, 0x80, 1]],
])('a memory %s grows to the limit and no further', (_name, limits) => {
  const memory = memoryOf(withMemoryLimit(moduleWith(...limits), 200 * page));

  memory.grow(199);
  expect(memory.buffer.byteLength).toBe(200 * page);
  expect(() => memory.grow(1)).toThrow(RangeError);
});

test('a lower limit is kept, and a memory that begins above the limit keeps its size', () => {
  const low = memoryOf(withMemoryLimit(moduleWith(1, 1, 2), 200 * page));
  const high = memoryOf(withMemoryLimit(moduleWith(0, 9), 4 * page));

  low.grow(1);
  expect(() => low.grow(1)).toThrow(RangeError);
  expect(high.buffer.byteLength).toBe(9 * page);
});

test('a module without a memory is a bug', () => {
  const header = Uint8Array.from([0, 0x61, 0x73, 0x6d, 1, 0, 0, 0]);

  expect(() => withMemoryLimit(header, page)).toThrow('no memory of its own');
});
