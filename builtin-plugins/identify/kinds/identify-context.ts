/** What the readers of one batch share. */
export interface IdentifyContext {
  readonly thisYear: number;
  /** Computes a thing once per batch: many files lie in one folder. */
  readonly remember: <T>(key: string, compute: () => T) => T;
}

/** Leaves out the keys without a value. */
export function compact<T extends object>(
  fields: T,
): {
  [K in keyof T as T[K] extends undefined ? never : K]: Exclude<T[K], undefined>;
} {
  const result: Record<string, unknown> = {};
  for (const key in fields) if (fields[key] !== undefined) result[key] = fields[key];
  return result as never;
}
