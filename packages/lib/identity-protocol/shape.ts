/** A type guard for a field of a JSON object. */
export type Check<Value> = (value: unknown) => value is Value;

/** A check of a key that may be missing. */
export interface OptionalCheck<Value> {
  readonly optional: Check<Value>;
}

/** The exact keys of an object. */
export type Shape = Readonly<Record<string, Check<unknown> | OptionalCheck<unknown>>>;

type RequiredKeys<S extends Shape> = {
  [Key in keyof S]: S[Key] extends OptionalCheck<unknown> ? never : Key;
}[keyof S];

type ValueOf<C> =
  C extends Check<infer Value> ? Value : C extends OptionalCheck<infer Value> ? Value : never;

/** The type of an object with that shape. */
export type Shaped<S extends Shape> = {
  readonly [Key in RequiredKeys<S>]: ValueOf<S[Key]>;
} & {
  readonly [Key in Exclude<keyof S, RequiredKeys<S>>]?: ValueOf<S[Key]>;
};

/** A key that may be missing. */
export const optional = <Value>(check: Check<Value>): OptionalCheck<Value> => ({ optional: check });

/** Whether a value is an object with exactly these keys: none is missing, and there is no other. */
export function hasShape<S extends Shape>(value: unknown, shape: S): value is Shaped<S> {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false;
  const known = Object.entries(shape);
  const keys = Object.keys(value);
  if (keys.some((key) => !Object.hasOwn(shape, key))) return false;
  const entries = new Map(Object.entries(value));
  return known.every(([key, check]) =>
    typeof check === 'function'
      ? check(entries.get(key))
      : !entries.has(key) || check.optional(entries.get(key)),
  );
}

/** Exactly this value. */
export const just =
  <const Value extends string | number | boolean>(wanted: Value): Check<Value> =>
  (value): value is Value =>
    value === wanted;

/** A text that matches the pattern. */
export const textLike =
  (pattern: RegExp): Check<string> =>
  (value): value is string =>
    typeof value === 'string' && pattern.test(value);

/** A list with `least` to `most` entries. */
export const listOf =
  <Value>(check: Check<Value>, least: number, most: number): Check<readonly Value[]> =>
  (value): value is readonly Value[] =>
    Array.isArray(value) && value.length >= least && value.length <= most && value.every(check);

/** An object with a shape of its own. */
export const shaped =
  <S extends Shape>(shape: S): Check<Shaped<S>> =>
  (value): value is Shaped<S> =>
    hasShape(value, shape);
