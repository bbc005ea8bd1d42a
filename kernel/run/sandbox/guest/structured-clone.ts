import { DOMException } from './dom-exception.ts';
import { uncurry } from './primordials.ts';

/**
 * Captured before it is removed from the prototype: a clone may transfer a buffer, but a plugin may
 * not resize one. It is called without a method lookup on functions, which the plugin could replace.
 */
const transferBuffer: (buffer: unknown) => unknown = uncurry(ArrayBuffer.prototype.transfer);
const errorNames = [
  'EvalError',
  'RangeError',
  'ReferenceError',
  'SyntaxError',
  'TypeError',
  'URIError',
];

/** A deep copy of data, cycles included; functions, symbols and similar values are refused. */
export function structuredClone(
  value: unknown,
  options: { readonly transfer?: readonly unknown[] } = {},
): unknown {
  const buffers = [...(options.transfer ?? [])];
  if (!buffers.every((buffer) => buffer instanceof ArrayBuffer)) {
    throw refusal('Only an ArrayBuffer can be transferred.');
  }
  const copy = clone(value, new Map());
  // Transferred after the copy, since a view loses its place when its buffer is detached.
  for (const buffer of buffers) transferBuffer(buffer);
  return copy;
}

function clone(value: unknown, copies: Map<unknown, unknown>): unknown {
  if (typeof value === 'symbol' || typeof value === 'function') {
    throw refusal(`A ${typeof value} cannot be cloned.`);
  }
  if (typeof value !== 'object' || value === null) return value;
  if (copies.has(value)) return copies.get(value);
  const copy = shellOf(value, copies);
  copies.set(value, copy);
  fill(value, copy, copies);
  return copy;
}

/** An empty copy, so that a cycle finds it. */
function shellOf(value: object, copies: Map<unknown, unknown>): object {
  if (Array.isArray(value)) return new Array<unknown>(value.length);
  if (value instanceof Date) return new Date(value.getTime());
  if (value instanceof RegExp) return new RegExp(value.source, value.flags);
  if (value instanceof Map) return new Map();
  if (value instanceof Set) return new Set();
  if (value instanceof ArrayBuffer) return value.slice(0);
  if (ArrayBuffer.isView(value)) return cloneView(value, copies);
  if (value instanceof Error) return cloneError(value);
  if (isBoxed(value)) return Object(value.valueOf()) as object;
  if (value instanceof WeakMap || value instanceof WeakSet || value instanceof Promise) {
    throw refusal('A WeakMap, WeakSet or Promise cannot be cloned.');
  }
  return {};
}

function fill(value: object, copy: object, copies: Map<unknown, unknown>): void {
  if (value instanceof Map && copy instanceof Map) {
    for (const [key, entry] of [...value]) copy.set(clone(key, copies), clone(entry, copies));
  } else if (value instanceof Set && copy instanceof Set) {
    for (const entry of [...value]) copy.add(clone(entry, copies));
  } else if (value instanceof Error) {
    if (Object.hasOwn(value, 'cause')) define(copy, 'cause', clone(value.cause, copies));
  } else if (Array.isArray(value) || isPlain(value)) {
    for (const key of Object.keys(value)) {
      const entry: unknown = Reflect.get(value, key);
      Object.defineProperty(copy, key, {
        value: clone(entry, copies),
        writable: true,
        enumerable: true,
        configurable: true,
      });
    }
  }
}

function cloneView(view: ArrayBufferView, copies: Map<unknown, unknown>): ArrayBufferView {
  const buffer = clone(view.buffer, copies) as ArrayBuffer;
  if (view instanceof DataView) return new DataView(buffer, view.byteOffset, view.byteLength);
  const typed = view as Uint8Array;
  const Kind = globalThis[typed[Symbol.toStringTag]];
  return new Kind(buffer, typed.byteOffset, typed.length);
}

function cloneError(error: Error): Error {
  const name = errorNames.includes(error.name) ? error.name : 'Error';
  const Kind = Reflect.get(globalThis, name) as ErrorConstructor;
  const copy = new Kind(error.message);
  define(copy, 'stack', error.stack);
  return copy;
}

function isBoxed(value: object): boolean {
  return [Boolean, Number, String, BigInt].some((Kind) => value instanceof Kind);
}

function isPlain(value: object): boolean {
  const tag = Object.prototype.toString.call(value);
  return tag === '[object Object]' && !isBoxed(value) && !ArrayBuffer.isView(value);
}

function define(target: object, name: string, value: unknown): void {
  Object.defineProperty(target, name, { value, writable: true, configurable: true });
}

function refusal(message: string): DOMException {
  return new DOMException(message, 'DataCloneError');
}
