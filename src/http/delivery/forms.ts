/**
 * The tag and the compressed forms of bytes that are sent. Each is made once, and kept as long as the
 * bytes live: so a page that a cache keeps costs no compression at its second request.
 */
import type { Encoding } from './encodings.ts';
import { tagOfBytes } from './entity-tags.ts';

/** What is known of bytes; bytes must not change after they were asked about. */
export type Forms = ReturnType<typeof createForms>;

interface KnownForms {
  tag: string | null;
  readonly encoded: Map<Encoding, Buffer | Promise<Buffer>>;
}

/** Creates it over the function that compresses. */
export function createForms(encode: (bytes: Buffer, encoding: 'br' | 'gzip') => Promise<Buffer>) {
  const known = new WeakMap<Buffer, KnownForms>();

  function formsOf(bytes: Buffer): KnownForms {
    const forms = known.get(bytes) ?? { tag: null, encoded: new Map() };
    known.set(bytes, forms);
    return forms;
  }

  return {
    tag: (bytes: Buffer): string => {
      const forms = formsOf(bytes);
      return (forms.tag ??= tagOfBytes(bytes));
    },
    /** A promise while the form is made; concurrent requests share it. */
    encoded: (bytes: Buffer, encoding: 'br' | 'gzip'): Buffer | Promise<Buffer> => {
      const { encoded } = formsOf(bytes);
      const form = encoded.get(encoding);
      if (form !== undefined) return form;
      const made = encode(bytes, encoding).then(
        (result) => (encoded.set(encoding, result), result),
        (error: unknown) => {
          encoded.delete(encoding);
          throw error;
        },
      );
      encoded.set(encoding, made);
      return made;
    },
  };
}
