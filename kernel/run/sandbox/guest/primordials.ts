/**
 * The language as it was before the plugin ran. Code that decides, counts or sends uses these
 * functions, never a method or property that the plugin could have replaced. It writes no array by
 * index, reads no missing property, and neither spreads nor iterates, since each of these consults a
 * prototype that the plugin may have changed.
 */
export const {
  apply,
  construct,
  defineProperty,
  getOwnPropertyDescriptor,
  getPrototypeOf,
  ownKeys,
} = Reflect;
export const { create, freeze, hasOwn } = Object;
export const { parse: parseJson, stringify: toJson } = JSON;
export const { now } = Date;
export const { floor, max, min } = Math;
export const { isArray } = Array;
export const toText = String;
export const toNumber = Number;
// oxlint-disable-next-line no-eval -- the guest runtime loads the plugin's bundle with it
export const evaluate = globalThis.eval;
export const PlainPromise = Promise;
export const PlainError = Error;
export const PlainTypeError = TypeError;
export const PlainMap = Map;
export const Bytes = Uint8Array;

/** A method as a function that takes its receiver first. */
export function uncurry<Args extends unknown[], Result>(
  method: unknown,
): (receiver: unknown, ...args: Args) => Result {
  if (typeof method !== 'function')
    throw new PlainTypeError('A method of the language is missing.');
  return (receiver, ...args) => apply(method, receiver, args) as Result;
}

function getterOf<Result>(prototype: object, name: PropertyKey): (receiver: unknown) => Result {
  return uncurry<[], Result>(getOwnPropertyDescriptor(prototype, name)?.get);
}

const typedArrayPrototype = getPrototypeOf(Uint8Array.prototype) as object;

export const mapGet: <K, V>(map: Map<K, V>, key: K) => V | undefined = uncurry(Map.prototype.get);
export const mapSet: <K, V>(map: Map<K, V>, key: K, value: V) => void = uncurry(Map.prototype.set);
export const mapDelete: <K>(map: Map<K, unknown>, key: K) => boolean = uncurry(
  Map.prototype.delete,
);
export const mapHas: <K>(map: Map<K, unknown>, key: K) => boolean = uncurry(Map.prototype.has);
export const mapForEach: <K, V>(map: Map<K, V>, visit: (value: V, key: K) => void) => void =
  uncurry(Map.prototype.forEach);
export const mapSize = getterOf<number>(Map.prototype, 'size');

export const slice: (text: string, from: number, to?: number) => string = uncurry(
  String.prototype.slice,
);
export const indexOf: (text: string, part: string) => number = uncurry(String.prototype.indexOf);
export const codeAt: (text: string, index: number) => number = uncurry(String.prototype.charCodeAt);
export const promiseThen: (promise: Promise<unknown>, then: () => void) => void = uncurry(
  Promise.prototype.then,
);

/** The kind of a typed array, independent of its prototype. */
export const kindOfArray = getterOf<string | undefined>(typedArrayPrototype, Symbol.toStringTag);
export const byteLengthOf = getterOf<number>(typedArrayPrototype, 'byteLength');
export const bufferOf = getterOf<ArrayBuffer>(typedArrayPrototype, 'buffer');
const setBytes: (to: Uint8Array, from: Uint8Array) => void = uncurry(Uint8Array.prototype.set);

/** Appends to a list. */
export function append<T>(list: T[], value: T): void {
  defineProperty(list, list.length, {
    __proto__: null,
    value,
    writable: true,
    enumerable: true,
    configurable: true,
  } as PropertyDescriptor);
}

/** Defines a constant property. */
export function define(target: object, name: PropertyKey, value: unknown): void {
  defineProperty(target, name, {
    __proto__: null,
    value,
    writable: true,
    enumerable: false,
    configurable: true,
  } as PropertyDescriptor);
}

export function isObject(value: unknown): value is object {
  return (typeof value === 'object' && value !== null) || typeof value === 'function';
}

export function isBytes(value: unknown): value is Uint8Array {
  return isObject(value) && kindOfArray(value) === 'Uint8Array';
}

/** A new buffer with the same bytes, so that a view of a large buffer sends only its own part. */
export function copyOfBytes(bytes: Uint8Array): ArrayBuffer {
  const copy = new Bytes(byteLengthOf(bytes));
  setBytes(copy, bytes);
  return bufferOf(copy);
}

/** The engine's own getter of an error's stack, where the stack is not a data property. */
const nativeStack: unknown = getOwnPropertyDescriptor(new PlainError(), 'stack')?.get;

/** The stack of an error from V8. Getters of the plugin are not run. */
export function readStack(error: unknown): unknown {
  if (!isObject(error)) return undefined;
  const property = getOwnPropertyDescriptor(error, 'stack');
  if (property === undefined) return undefined;
  if (hasOwn(property, 'value')) return property.value;
  const isNative = typeof nativeStack === 'function' && property.get === nativeStack;
  return isNative ? apply(nativeStack, error, []) : undefined;
}

/** The data property of that name, from the whole prototype chain. Getters are not run. */
export function readData(value: unknown, name: string): unknown {
  let owner: unknown = value;
  for (let depth = 0; depth < 10 && isObject(owner); depth++) {
    const property = getOwnPropertyDescriptor(owner, name);
    if (property !== undefined) return hasOwn(property, 'value') ? property.value : undefined;
    owner = getPrototypeOf(owner);
  }
  return undefined;
}
