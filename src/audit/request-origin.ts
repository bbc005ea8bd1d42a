/**
 * Where the request that is being answered comes from, for whoever must note it deep inside a
 * domain: it follows the request through every await, so nobody has to pass it along.
 */
import { AsyncLocalStorage } from 'node:async_hooks';

/** The origin of a request. */
export interface RequestOrigin {
  /** The client's address, behind trusted proxies too. */
  readonly address: string;
  readonly requestId: string;
}

const storage = new AsyncLocalStorage<RequestOrigin | null>();

/** Runs `run`, and all that it starts, as part of a request. */
export const runAsRequest = <Result>(origin: RequestOrigin, run: () => Result): Result =>
  storage.run(origin, run);

/** Runs what no single request is the cause of, though one may have set it going. */
export const runAsServer = <Result>(run: () => Result): Result => storage.run(null, run);

/** The request that is being answered; `null` where none is. */
export const requestOrigin = (): RequestOrigin | null => storage.getStore() ?? null;
