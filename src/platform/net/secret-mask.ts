/**
 * Masks secrets in responses, so that a host that echoes its request reveals nothing. It finds the
 * value and its plain encodings: base64 at any position in a longer text, hex, percent-encoding,
 * JSON text, UTF-16. A host could still reveal it in another encoding, which is why a secret is
 * limited to named hosts.
 */

/** Masks the known values. */
export type SecretMask = ReturnType<typeof createSecretMask>;

const cover = '***';
/** Shorter texts would match everywhere. */
const shortestForm = 4;

/** Creates a mask for these values. */
export function createSecretMask(values: readonly string[]) {
  const forms = [...new Set(values.flatMap(formsOf))]
    .filter(({ length }) => length >= shortestForm)
    .sort((one, other) => other.length - one.length);
  const lower = forms.map((form) => form.toLowerCase());
  const inBytes = [
    ...forms.map((form) => Buffer.from(form).toString('latin1')),
    ...values.flatMap(wideFormsOf),
  ];

  return {
    text: (text: string): string => covered(text, forms),
    bytes: (bytes: Uint8Array): Uint8Array => {
      const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('latin1');
      const masked = covered(text, inBytes);
      return masked === text ? bytes : Buffer.from(masked, 'latin1');
    },
    /** Whether the text contains a value, in upper or lower case. */
    isIn: (text: string): boolean => {
      const small = text.toLowerCase();
      return lower.some((form) => small.includes(form));
    },
  };
}

function covered(text: string, forms: readonly string[]): string {
  return forms.reduce(
    (masked, form) => (masked.includes(form) ? masked.replaceAll(form, cover) : masked),
    text,
  );
}

function formsOf(value: string): readonly string[] {
  const hex = Buffer.from(value).toString('hex');
  return [
    value,
    JSON.stringify(value).slice(1, -1),
    encodeURIComponent(value.toWellFormed()),
    new URLSearchParams({ a: value }).toString().slice(2),
    hex,
    hex.toUpperCase(),
    ...base64Of(value),
    Buffer.from(value).toString('base64').replace(/=+$/, ''),
    Buffer.from(value).toString('base64url'),
  ];
}

/** The part of its base64 that is the same at every position in a longer text. */
function base64Of(value: string): readonly string[] {
  const bytes = Buffer.from(value);
  return [0, 1, 2].flatMap((before) => {
    const text = Buffer.concat([Buffer.alloc(before), bytes]).toString('base64');
    const first = Math.ceil((before * 8) / 6);
    const kept = text.slice(first, Math.floor(((before + bytes.length) * 8) / 6));
    if (kept.length < 2 * shortestForm) return [];
    return [kept, kept.replaceAll('+', '-').replaceAll('/', '_')];
  });
}

function wideFormsOf(value: string): readonly string[] {
  const little = Buffer.from(value, 'utf16le');
  const big = Buffer.from(little).swap16();
  return [little, big].map((bytes) => bytes.toString('latin1'));
}
