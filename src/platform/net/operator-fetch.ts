/**
 * Requests to services that the operator configured, in the local network or outside. Redirects are
 * not followed, so only the configured address is contacted.
 */
import type { Agent } from 'undici';
import { KernelError } from '../../../kernel/index.ts';
import { createExchange } from './exchange.ts';
import { createGuardedAgent } from './guarded-agent.ts';
import type { Headers } from './header-rules.ts';

export interface OperatorRequest {
  readonly method: 'GET' | 'POST';
  readonly url: string;
  readonly headers?: Headers;
  readonly body?: string;
  /** Limit of the response in bytes, compressed and decompressed. */
  readonly maxBytes: number;
  readonly timeoutMs: number;
}

/** A response. */
export interface OperatorReply {
  readonly status: number;
  readonly headers: Headers;
  readonly body: Uint8Array;
}

/** Sends one request; rejects with a `KernelError`. */
export type OperatorFetch = (request: OperatorRequest) => Promise<OperatorReply>;

/** Creates it; nothing is loaded or opened before the first request. */
export function createOperatorFetch(): {
  readonly fetch: OperatorFetch;
  /** Aborts requests under way. */
  readonly close: () => Promise<void>;
} {
  let agent: Promise<Agent> | undefined;
  const exchange = createExchange(() => (agent ??= createGuardedAgent({ isAllowed: () => true })));
  return {
    fetch: async ({ url: text, headers = {}, body = null, timeoutMs, ...request }) => {
      const url = new URL(text);
      const late = new AbortController();
      const timer = setTimeout(
        () => late.abort(new KernelError('net_timeout', `${url.host} did not answer in time.`)),
        timeoutMs,
      );
      const target = { url, host: url.host };
      return exchange({ ...request, target, headers, body, signal: late.signal }).finally(() =>
        clearTimeout(timer),
      );
    },
    close: async () => {
      await (await agent)?.destroy();
    },
  };
}
