/**
 * Polyfills for features that React Native's engine may lack and the protocol needs. Import it
 * once, before anything else of this package. Existing features are not replaced.
 */

/** Strict UTF-8, not streaming: invalid bytes throw, as with `fatal`. */
class Utf8Decoder {
  readonly #keepsMark: boolean;

  constructor(_label?: string, { ignoreBOM = false }: { readonly ignoreBOM?: boolean } = {}) {
    this.#keepsMark = ignoreBOM;
  }

  decode(bytes: Uint8Array = new Uint8Array()): string {
    let escaped = '';
    for (const byte of bytes) escaped += `%${byte.toString(16).padStart(2, '0')}`;
    const text = decodeURIComponent(escaped);
    return this.#keepsMark ? text : text.replace(/^\ufeff/, '');
  }
}

/** No surrogate is unpaired: `encodeURIComponent` throws exactly then. */
function isWellFormed(this: string): boolean {
  try {
    encodeURIComponent(this);
    return true;
  } catch {
    return false;
  }
}

function canParse(url: string): boolean {
  try {
    return new URL(url).href !== '';
  } catch {
    return false;
  }
}

/** Checks the prototype itself, because bundlers replace a static test for a feature. */
function add(owner: object, name: string, value: unknown): void {
  if (Reflect.get(owner, name) !== undefined) return;
  Object.defineProperty(owner, name, { value, configurable: true, writable: true });
}

add(globalThis, 'TextDecoder', Utf8Decoder);
add(String.prototype, 'isWellFormed', isWellFormed);
add(URL, 'canParse', canParse);

export {};
