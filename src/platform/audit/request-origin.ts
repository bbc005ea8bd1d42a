/**
 * The origin of the current request, for code deep inside a domain that must record it. It is kept
 * across awaits, so it need not be passed as a parameter.
 */
import { AsyncLocalStorage } from 'node:async_hooks';

export interface RequestOrigin {
  /** The client's address, also behind trusted proxies. */
  readonly address: string;
  readonly requestId: string;
  /** The number of the last change of the libraries that it made; 0 = none. */
  change?: number;
}

const storage = new AsyncLocalStorage<RequestOrigin | null>();

/** Runs `run`, and all that it starts, as part of a request. */
export const runAsRequest = <Result>(origin: RequestOrigin, run: () => Result): Result =>
  storage.run(origin, run);

/** Runs work of the server itself, even when a request started it. */
export const runAsServer = <Result>(run: () => Result): Result => storage.run(null, run);

/** The current request, if there is one, changed what the libraries hold. */
export function noteChange(number: number): void {
  const origin = storage.getStore();
  if (origin) origin.change = Math.max(origin.change ?? 0, number);
}

/** The origin of the current request; `null` outside a request. */
export const requestOrigin = (): RequestOrigin | null => storage.getStore() ?? null;
