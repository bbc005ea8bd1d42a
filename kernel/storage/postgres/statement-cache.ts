import { createHash } from 'node:crypto';

/**
 * A statement that begins so is read and understood by the server once for each connection; it is
 * planned each time. For statements that are long, frequent, and of few different texts.
 */
export const preparedMark = '/* kept */';

/** The name that such a statement has on its connection; absent for all others. */
export function nameOf(text: string): { readonly name?: string } {
  if (!text.startsWith(preparedMark)) return {};
  return { name: createHash('sha256').update(text).digest('base64url') };
}
