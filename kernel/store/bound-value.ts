/** A value that both databases accept. */
export type BoundValue = string | number | null | Buffer;

/** The value to bind. Objects are refused, since they would be stored as `[object Object]`. */
export function toBound(value: unknown): BoundValue {
  if (typeof value === 'string' || typeof value === 'number' || value === null) return value;
  if (value === undefined) return null;
  if (typeof value === 'boolean') return value ? 1 : 0;
  if (value instanceof Uint8Array) return Buffer.isBuffer(value) ? value : Buffer.from(value);
  if (value instanceof Date) return value.toISOString();
  throw new TypeError(`A ${typeof value} cannot be bound to a statement; JSON goes in as text.`);
}
