/**
 * The language as it was before the plugin's first line ran. Whatever decides, counts or leaves the
 * isolate uses these and never a method or property that the plugin could have replaced since; no
 * array is written by index, no missing property is read, nothing is spread or iterated, since each
 * of those asks a prototype that belongs to the plugin by now.
 */
export const { apply, defineProperty, getOwnPropertyDescriptor, getPrototypeOf, ownKeys } = Reflect;
export const { create, freeze, hasOwn } = Object;
export const { parse: parseJson, stringify: toJson } = JSON;
export const { now } = Date;
export const { floor, max, min } = Math;
export const { isArray } = Array;
export const { isSafeInteger } = Number;
export const toText = String;
export const toNumber = Number;
export const evaluate = globalThis.eval;
export const PlainPromise = Promise;
export const PlainError = Error;
export const PlainTypeError = TypeError;
export const PlainMap = Map;
export const Bytes = Uint8Array;
export const Buffers = ArrayBuffer;

type Method<This, Args extends unknown[], Result> = (this: This, ...args: Args) => Result;

/** A method as a function that takes its receiver first. */
export function uncurry<This, Args extends unknown[], Result>(
  method: Method<This, Args, Result>,
): (receiver: This, ...args: Args) => Result {
  return (receiver, ...args) => apply(method, receiver, args) as Result;
}

function getterOf<Result>(prototype: object, name: PropertyKey): (receiver: unknown) => Result {
  const get = getOwnPropertyDescriptor(prototype, name)?.get;
  if (get === undefined) throw new PlainTypeError(`No getter ${toText(name)}`);
  return (receiver) => apply(get, receiver, []) as Result;
}

const typedArrayPrototype: object = Object(getPrototypeOf(Uint8Array.prototype));

export const mapGet = uncurry(Map.prototype.get as never) as <K, V>(
  map: Map<K, V>,
  key: K,
) => V | undefined;
export const mapSet = uncurry(Map.prototype.set as never) as <K, V>(
  map: Map<K, V>,
  key: K,
  value: V,
) => void;
export const mapDelete = uncurry(Map.prototype.delete);
export const mapClear = uncurry(Map.prototype.clear);
export const mapForEach = uncurry(Map.prototype.forEach as never) as <K, V>(
  map: Map<K, V>,
  visit: (value: V, key: K) => void,
) => void;
export const mapSize = getterOf<number>(Map.prototype, 'size');

export const slice = uncurry(String.prototype.slice);
export const indexOf = uncurry(String.prototype.indexOf);
export const codeAt = uncurry(String.prototype.charCodeAt);
export const promiseThen = uncurry(Promise.prototype.then as never) as (
  promise: Promise<unknown>,
  then: () => void,
) => void;

/** `Uint8Array` of an array made by this very constructor, whatever its prototype says by now. */
export const kindOfArray = getterOf<string | undefined>(typedArrayPrototype, Symbol.toStringTag);
export const byteLengthOf = getterOf<number>(typedArrayPrototype, 'byteLength');
export const bufferOf = getterOf<ArrayBuffer>(typedArrayPrototype, 'buffer');
export const byteOffsetOf = getterOf<number>(typedArrayPrototype, 'byteOffset');
const setBytes = uncurry(Uint8Array.prototype.set as never) as (
  to: Uint8Array,
  from: Uint8Array,
) => void;

/** Adds to the end of a list. */
export function append<T>(list: T[], value: T): void {
  defineProperty(list, list.length, {
    __proto__: null,
    value,
    writable: true,
    enumerable: true,
    configurable: true,
  } as PropertyDescriptor);
}

/** Defines a value for good. */
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

/** A buffer of its own with the same bytes, so that a view into a large one sends only its part. */
export function copyOfBytes(bytes: Uint8Array): ArrayBuffer {
  const copy = new Bytes(byteLengthOf(bytes));
  setBytes(copy, bytes);
  return bufferOf(copy);
}

/** What the property is as data; a getter is not asked. Looks at the whole chain of prototypes. */
export function readData(value: unknown, name: string): unknown {
  let owner: unknown = value;
  for (let depth = 0; depth < 10 && isObject(owner); depth++) {
    const property = getOwnPropertyDescriptor(owner, name);
    if (property !== undefined) return hasOwn(property, 'value') ? property.value : undefined;
    owner = getPrototypeOf(owner);
  }
  return undefined;
}
