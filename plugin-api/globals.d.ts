/**
 * The globals that a sandbox has beside those of the language. There is no `fetch`, `process` or
 * `Buffer`: files, network and storage are methods of `host`. Use it in a tsconfig.json for the
 * sources of a plugin: `"lib": ["es2024"], "types": ["@vitrine/plugin-api/globals"]`.
 */

/** Writes one line to the plugin's log: at most 2000 characters, 200 lines at once and 50 a second. */
declare const console: {
  readonly debug: (...values: readonly unknown[]) => void;
  readonly log: (...values: readonly unknown[]) => void;
  readonly info: (...values: readonly unknown[]) => void;
  readonly warn: (...values: readonly unknown[]) => void;
  readonly error: (...values: readonly unknown[]) => void;
  readonly trace: (...values: readonly unknown[]) => void;
};

/** A timer fires only while a call into the plugin runs; at most 1000 at a time. */
declare function setTimeout<Given extends readonly unknown[]>(
  handler: (...given: Given) => void,
  delayMs?: number,
  ...given: Given
): number;
declare function clearTimeout(id?: number): void;
declare function setInterval<Given extends readonly unknown[]>(
  handler: (...given: Given) => void,
  delayMs?: number,
  ...given: Given
): number;
declare function clearInterval(id?: number): void;
declare function queueMicrotask(callback: () => void): void;

declare class TextEncoder {
  readonly encoding: 'utf-8';
  encode(text?: string): Uint8Array<ArrayBuffer>;
  encodeInto(text: string, into: Uint8Array): { readonly read: number; readonly written: number };
}

/** `utf-8`, `utf-16le`, `utf-16be` and `windows-1252` (also as `latin1`). */
declare class TextDecoder {
  constructor(label?: string, options?: { readonly fatal?: boolean; readonly ignoreBOM?: boolean });
  readonly encoding: string;
  readonly fatal: boolean;
  readonly ignoreBOM: boolean;
  decode(bytes?: ArrayBuffer | ArrayBufferView, options?: { readonly stream?: boolean }): string;
}

declare class URL {
  constructor(url: string | URL, base?: string | URL);
  static canParse(url: string | URL, base?: string | URL): boolean;
  static parse(url: string | URL, base?: string | URL): URL | null;
  hash: string;
  host: string;
  hostname: string;
  href: string;
  readonly origin: string;
  password: string;
  pathname: string;
  port: string;
  protocol: string;
  search: string;
  readonly searchParams: URLSearchParams;
  username: string;
  toString(): string;
  toJSON(): string;
}

declare class URLSearchParams {
  constructor(
    init?: string | Readonly<Record<string, string>> | Iterable<readonly [string, string]>,
  );
  readonly size: number;
  append(name: string, value: string): void;
  delete(name: string, value?: string): void;
  get(name: string): string | null;
  getAll(name: string): string[];
  has(name: string, value?: string): boolean;
  set(name: string, value: string): void;
  sort(): void;
  forEach(each: (value: string, name: string, all: URLSearchParams) => void): void;
  entries(): IterableIterator<[string, string]>;
  keys(): IterableIterator<string>;
  values(): IterableIterator<string>;
  [Symbol.iterator](): IterableIterator<[string, string]>;
  toString(): string;
}

declare function structuredClone<Value>(
  value: Value,
  options?: { readonly transfer?: readonly ArrayBuffer[] },
): Value;
declare function atob(base64: string): string;
declare function btoa(bytes: string): string;

declare const crypto: {
  readonly getRandomValues: <Bytes extends ArrayBufferView>(bytes: Bytes) => Bytes;
  readonly randomUUID: () => `${string}-${string}-${string}-${string}-${string}`;
  readonly subtle: {
    readonly digest: (
      algorithm: DigestName | { readonly name: DigestName },
      bytes: ArrayBuffer | ArrayBufferView,
    ) => Promise<ArrayBuffer>;
  };
};
type DigestName = 'SHA-1' | 'SHA-256' | 'SHA-384' | 'SHA-512';

declare class Event {
  constructor(type: string, options?: { readonly cancelable?: boolean });
  readonly type: string;
  readonly cancelable: boolean;
  readonly defaultPrevented: boolean;
  preventDefault(): void;
}

declare class EventTarget {
  addEventListener(
    type: string,
    listener: (event: Event) => void,
    options?: boolean | { readonly once?: boolean; readonly signal?: AbortSignal },
  ): void;
  removeEventListener(type: string, listener: (event: Event) => void): void;
  dispatchEvent(event: Event): boolean;
}

declare class DOMException extends Error {
  constructor(message?: string, name?: string);
  readonly code: number;
}

declare class AbortController {
  readonly signal: AbortSignal;
  abort(reason?: unknown): void;
}

declare class AbortSignal extends EventTarget {
  private constructor();
  static abort(reason?: unknown): AbortSignal;
  static timeout(delayMs: number): AbortSignal;
  static any(signals: Iterable<AbortSignal>): AbortSignal;
  readonly aborted: boolean;
  readonly reason: unknown;
  onabort: ((event: Event) => void) | null;
  throwIfAborted(): void;
}

/** Whole milliseconds. */
declare const performance: { readonly now: () => number; readonly timeOrigin: number };

/** Needs the permission `wasm`. */
declare namespace WebAssembly {
  class Module {
    constructor(bytes: ArrayBuffer | ArrayBufferView);
    static exports(module: Module): { readonly name: string; readonly kind: string }[];
    static imports(
      module: Module,
    ): { readonly module: string; readonly name: string; readonly kind: string }[];
  }
  class Instance {
    constructor(
      module: Module,
      imports?: Readonly<Record<string, Readonly<Record<string, unknown>>>>,
    );
    readonly exports: Readonly<Record<string, unknown>>;
  }
  class Memory {
    constructor(options: { readonly initial: number; readonly maximum?: number });
    readonly buffer: ArrayBuffer;
    grow(pages: number): number;
  }
  class Table {
    constructor(options: {
      readonly element: 'anyfunc' | 'externref';
      readonly initial: number;
      readonly maximum?: number;
    });
    readonly length: number;
    get(index: number): unknown;
    set(index: number, value?: unknown): void;
    grow(by: number): number;
  }
  class Global {
    constructor(
      options: { readonly value: 'i32' | 'i64' | 'f32' | 'f64'; readonly mutable?: boolean },
      value?: unknown,
    );
    value: unknown;
    valueOf(): unknown;
  }
  class CompileError extends Error {}
  class LinkError extends Error {}
  class RuntimeError extends Error {}
  function validate(bytes: ArrayBuffer | ArrayBufferView): boolean;
}
