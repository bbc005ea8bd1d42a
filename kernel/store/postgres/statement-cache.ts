import { createHash } from 'node:crypto';

/**
 * A statement with this beginning is parsed once per connection and planned each time. For statements
 * that are long, frequent, and of few different texts.
 */
export const preparedMark = '/* kept */';

/** The name of such a statement on its connection; absent for all others. */
export function nameOf(text: string): { readonly name?: string } {
  if (!text.startsWith(preparedMark)) return {};
  return { name: createHash('sha256').update(text).digest('base64url') };
}
