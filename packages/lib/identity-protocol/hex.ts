/** Lower-case hex, the form of keys, challenges and server ids. */
export function toHex(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}

/** Whether a value is 32 bytes in lower-case hex: one spelling for each key. */
export const isHex32 = (value: unknown): value is string =>
  typeof value === 'string' && /^[0-9a-f]{64}$/.test(value);

/** The 32 bytes. */
export function fromHex32(text: string): Uint8Array<ArrayBuffer> {
  if (!isHex32(text)) throw new TypeError('This is not 32 bytes in lower-case hex.');
  const bytes = new Uint8Array(32);
  for (let at = 0; at < 32; at += 1)
    bytes[at] = Number.parseInt(text.slice(at * 2, at * 2 + 2), 16);
  return bytes;
}
