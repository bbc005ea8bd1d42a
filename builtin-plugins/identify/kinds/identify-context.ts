/** State shared by the readers of one batch. */
export interface IdentifyContext {
  readonly thisYear: number;
  readonly libraryId: string;
  /** Reads a name once per batch: many files lie in one folder, or are named as it is. */
  readonly remember: <T>(read: (name: string, context: IdentifyContext) => T, name: string) => T;
}

/** The context of a new batch. */
export function createContext(thisYear: number, libraryId: string): IdentifyContext {
  const known = new Map<unknown, Map<string, unknown>>();
  const context: IdentifyContext = {
    thisYear,
    libraryId,
    remember: <T>(read: (name: string, context: IdentifyContext) => T, name: string): T => {
      const names = known.get(read) ?? new Map<string, unknown>();
      if (names.size === 0) known.set(read, names);
      const found = names.get(name);
      if (found !== undefined) return found as T; // The cache is separate for each reader.
      const fresh = read(name, context);
      names.set(name, fresh);
      return fresh;
    },
  };
  return context;
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
