/** Where the parts write log lines. A pino logger satisfies it. */
export interface Log {
  readonly debug: (fields: object, message: string) => void;
  readonly info: (fields: object, message: string) => void;
  readonly warn: (fields: object, message: string) => void;
  readonly error: (fields: object, message: string) => void;
}

/** A log that discards everything. */
export const silentLog: Log = {
  debug: () => undefined,
  info: () => undefined,
  warn: () => undefined,
  error: () => undefined,
};
