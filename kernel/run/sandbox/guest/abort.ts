import { DOMException } from './dom-exception.ts';
import { toText } from './to-text.ts';

type Listener = ((event: Event) => unknown) | { handleEvent: (event: Event) => unknown };

interface Registration {
  readonly listener: Listener;
  readonly isOnce: boolean;
}

/** An event of an `EventTarget`. */
export class Event {
  readonly type: string;
  readonly cancelable: boolean;
  readonly bubbles: boolean;
  readonly timeStamp = Date.now();
  target: EventTarget | null = null;
  #isPrevented = false;
  #isStopped = false;

  constructor(type: string, init: { cancelable?: boolean; bubbles?: boolean } = {}) {
    this.type = toText(type);
    this.cancelable = init.cancelable === true;
    this.bubbles = init.bubbles === true;
  }

  get currentTarget(): EventTarget | null {
    return this.target;
  }

  get defaultPrevented(): boolean {
    return this.#isPrevented;
  }

  get immediatePropagationStopped(): boolean {
    return this.#isStopped;
  }

  preventDefault(): void {
    if (this.cancelable) this.#isPrevented = true;
  }

  stopPropagation(): void {
    // Targets have no parent here.
  }

  stopImmediatePropagation(): void {
    this.#isStopped = true;
  }
}

/** Stores listeners by type. There is no tree: an event reaches only its own target. */
export class EventTarget {
  readonly #registrations = new Map<string, Registration[]>();

  addEventListener(
    type: string,
    listener: Listener | null,
    options: boolean | { once?: boolean; signal?: AbortSignal } = {},
  ): void {
    if (listener === null) return;
    const { once, signal } = typeof options === 'boolean' ? {} : options;
    if (signal?.aborted === true) return;
    const registrations = this.#registrations.get(type) ?? [];
    if (registrations.some((registration) => registration.listener === listener)) return;
    this.#registrations.set(type, [...registrations, { listener, isOnce: once === true }]);
    signal?.addEventListener('abort', () => this.removeEventListener(type, listener));
  }

  removeEventListener(type: string, listener: Listener | null): void {
    const registrations = this.#registrations.get(type) ?? [];
    this.#registrations.set(
      type,
      registrations.filter((registration) => registration.listener !== listener),
    );
  }

  dispatchEvent(event: Event): boolean {
    event.target = this;
    for (const { listener, isOnce } of this.#registrations.get(event.type) ?? []) {
      if (isOnce) this.removeEventListener(event.type, listener);
      if (typeof listener === 'function') listener.call(this, event);
      else listener.handleEvent(event);
      if (event.immediatePropagationStopped) break;
    }
    return !event.defaultPrevented;
  }
}

/** Only this file can make signals. */
const key = Symbol('signal');
const aborters = new WeakMap<AbortSignal, (reason: unknown) => void>();

/** Signals that a result is no longer needed. */
export class AbortSignal extends EventTarget {
  onabort: ((event: Event) => unknown) | null = null;
  #isAborted = false;
  #reason: unknown;

  constructor(made?: symbol) {
    super();
    if (made !== key) throw new TypeError('Illegal constructor');
    aborters.set(this, (reason) => this.#abort(reason));
  }

  static abort(reason?: unknown): AbortSignal {
    const signal = new AbortSignal(key);
    abort(signal, reason);
    return signal;
  }

  static timeout(ms: number): AbortSignal {
    const signal = new AbortSignal(key);
    setTimeout(() => abort(signal, new DOMException('It took too long.', 'TimeoutError')), ms);
    return signal;
  }

  static any(signals: Iterable<AbortSignal>): AbortSignal {
    const all = [...signals];
    const aborted = all.find((signal) => signal.aborted);
    if (aborted !== undefined) return AbortSignal.abort(aborted.reason);
    const any = new AbortSignal(key);
    for (const signal of all) signal.addEventListener('abort', () => abort(any, signal.reason));
    return any;
  }

  get aborted(): boolean {
    return this.#isAborted;
  }

  get reason(): unknown {
    return this.#reason;
  }

  throwIfAborted(): void {
    if (this.#isAborted) throw this.#reason;
  }

  #abort(reason: unknown): void {
    if (this.#isAborted) return;
    this.#isAborted = true;
    this.#reason =
      reason === undefined ? new DOMException('It was aborted.', 'AbortError') : reason;
    const event = new Event('abort');
    this.onabort?.(event);
    this.dispatchEvent(event);
  }
}

/** The controller of a signal. */
export class AbortController {
  readonly signal = new AbortSignal(key);

  abort(reason?: unknown): void {
    abort(this.signal, reason);
  }
}

function abort(signal: AbortSignal, reason: unknown): void {
  aborters.get(signal)?.(reason);
}
