import { construct, defineProperty, PlainTypeError } from './primordials.ts';

/** Methods that allocate memory outside the isolate's limit. */
const uncountedMemory = [
  'resize',
  'resizable',
  'maxByteLength',
  'transfer',
  'transferToFixedLength',
];

/**
 * Removes all access to growable buffers, whose memory the engine does not count: the methods that
 * grow one, and the constructor's `maxByteLength`. The remaining constructor has the same prototype
 * and reads only the length.
 */
export function closeBuffers(): void {
  for (const name of uncountedMemory) Reflect.deleteProperty(ArrayBuffer.prototype, name);
  const { prototype, isView } = ArrayBuffer;
  const PlainBuffer = plainConstructor(ArrayBuffer);
  fix(PlainBuffer, 'name', 'ArrayBuffer');
  fix(PlainBuffer, 'length', 1);
  defineProperty(PlainBuffer, 'prototype', { value: prototype, writable: false });
  define(PlainBuffer, 'isView', isView);
  defineProperty(PlainBuffer, Symbol.species, { get: ownSpecies, configurable: true });
  define(prototype, 'constructor', PlainBuffer);
  define(globalThis, 'ArrayBuffer', PlainBuffer);
}

/**
 * WebAssembly brings shared memory back, since its memories may be shared. Such a buffer gives access
 * neither to its constructor nor to growth, and without `Atomics` no code can block on it.
 */
export function closeSharedBuffers(): void {
  if (!('SharedArrayBuffer' in globalThis)) return;
  const { prototype } = SharedArrayBuffer;
  for (const name of ['constructor', 'grow', 'growable', 'maxByteLength', 'slice']) {
    Reflect.deleteProperty(prototype, name);
  }
}

function plainConstructor(Grown: typeof ArrayBuffer): (length: unknown) => object {
  return function (length: unknown): object {
    if (new.target === undefined)
      throw new PlainTypeError("Constructor ArrayBuffer requires 'new'");
    return construct(Grown, [length], new.target) as object;
  };
}

function ownSpecies(this: unknown): unknown {
  return this;
}

function define(target: object, name: string, value: unknown): void {
  defineProperty(target, name, { value, writable: true, enumerable: false, configurable: true });
}

function fix(target: object, name: string, value: unknown): void {
  defineProperty(target, name, { value, writable: false, enumerable: false, configurable: true });
}
