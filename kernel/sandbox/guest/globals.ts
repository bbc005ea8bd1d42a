import { create, define, defineProperty, hasOwn, ownKeys, PlainError } from './primordials.ts';
import type { Timers } from './timers.ts';

/**
 * What of the language a plugin sees. The list is closed: what a newer engine adds is taken away
 * until someone has looked at it.
 */
const languageGlobals = [
  'Object', 'Function', 'Array', 'Number', 'parseFloat', 'parseInt', 'Infinity', 'NaN', 'undefined',
  'Boolean', 'String', 'Symbol', 'Date', 'Promise', 'RegExp', 'Error', 'AggregateError', 'EvalError',
  'RangeError', 'ReferenceError', 'SyntaxError', 'TypeError', 'URIError', 'SuppressedError',
  'globalThis', 'JSON', 'Math', 'Intl', 'ArrayBuffer', 'Uint8Array', 'Int8Array', 'Uint16Array',
  'Int16Array', 'Uint32Array', 'Int32Array', 'BigUint64Array', 'BigInt64Array', 'Uint8ClampedArray',
  'Float16Array', 'Float32Array', 'Float64Array', 'DataView', 'Map', 'BigInt', 'Set', 'Iterator',
  'WeakMap', 'WeakSet', 'Proxy', 'Reflect', 'DisposableStack', 'AsyncDisposableStack', 'decodeURI',
  'decodeURIComponent', 'encodeURI', 'encodeURIComponent', 'escape', 'unescape', 'eval', 'isFinite',
  'isNaN',
]; // prettier-ignore

/** Memory that is not counted against the isolate's limit. */
const uncountedMemory = [
  'resize',
  'resizable',
  'maxByteLength',
  'transfer',
  'transferToFixedLength',
];

/** Takes away what is not on the list, and puts in what Vitrine gives. */
export function installGlobals(parts: {
  readonly console: object;
  readonly timers: Timers;
  readonly digest: (algorithm: string, bytes: Uint8Array) => Promise<unknown>;
  readonly seed: ArrayBuffer;
  readonly wasm: boolean;
}): void {
  const kept = create(null) as Record<string, true>;
  for (const name of languageGlobals) kept[name] = true;
  if (parts.wasm) kept['WebAssembly'] = true;
  for (const name of ownKeys(globalThis)) {
    if (typeof name !== 'string' || !hasOwn(kept, name)) Reflect.deleteProperty(globalThis, name);
  }
  for (const name of uncountedMemory) Reflect.deleteProperty(ArrayBuffer.prototype, name);
  // Code that formats stacks would run when no timeout does.
  freezeProperty(PlainError, 'prepareStackTrace', undefined);
  freezeProperty(PlainError, 'stackTraceLimit', 10);

  const { timers } = parts;
  define(globalThis, 'console', parts.console);
  define(globalThis, 'setTimeout', timers.setTimeout);
  define(globalThis, 'setInterval', timers.setInterval);
  define(globalThis, 'clearTimeout', timers.clear);
  define(globalThis, 'clearInterval', timers.clear);
}

function freezeProperty(target: object, name: string, value: unknown): void {
  defineProperty(target, name, { value, writable: false, enumerable: false, configurable: false });
}
