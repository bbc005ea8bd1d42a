/**
 * What React Native's engine may lack and the protocol needs, put in where it is missing: import it
 * once, before anything else of this package. Whatever the platform has is left alone.
 */

/** Strict UTF-8, all at once: bytes that are none throw, as with `fatal`. */
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

/** No half of a pair stands alone: `encodeURIComponent` throws exactly then. */
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

/** Bundlers take a look at a text for a promise of the engine, so the prototype itself is asked. */
function add(owner: object, name: string, value: unknown): void {
  if (Reflect.get(owner, name) !== undefined) return;
  Object.defineProperty(owner, name, { value, configurable: true, writable: true });
}

add(globalThis, 'TextDecoder', Utf8Decoder);
add(String.prototype, 'isWellFormed', isWellFormed);
add(URL, 'canParse', canParse);

export {};
