import { construct, defineProperty, PlainTypeError } from './primordials.ts';

/** Memory that is not counted against the isolate's limit. */
const uncountedMemory = [
  'resize',
  'resizable',
  'maxByteLength',
  'transfer',
  'transferToFixedLength',
];

/**
 * Takes every road to a buffer that grows, since the engine does not count such memory: the methods
 * that grow, and the constructor's `maxByteLength`, by which a buffer is uncounted from the start. What
 * stays is a constructor of the same prototype that looks at the length alone.
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
 * Shared memory comes with WebAssembly, whose memories may ask for it. Such a buffer leads nowhere: not
 * to its constructor, not to growth, and without `Atomics` nobody can wait on it.
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
