/**
 * Requests to services that the operator named in the settings, on the own network or beyond it. They
 * follow no redirect: what was named is what is asked, and nothing else.
 */
import type { Agent } from 'undici';
import { KernelError } from '../../kernel/index.ts';
import { createExchange } from './exchange.ts';
import { createGuardedAgent } from './guarded-agent.ts';
import type { Headers } from './header-rules.ts';

/** What is asked. */
export interface OperatorRequest {
  readonly method: 'GET' | 'POST';
  readonly url: string;
  readonly headers?: Headers;
  readonly body?: string;
  /** Bytes of the answer, compressed and not. */
  readonly maxBytes: number;
  readonly timeoutMs: number;
}

/** What came back. */
export interface OperatorReply {
  readonly status: number;
  readonly headers: Headers;
  readonly body: Uint8Array;
}

/** Asks once; rejects with a `KernelError`. */
export type OperatorFetch = (request: OperatorRequest) => Promise<OperatorReply>;

/** Creates it; nothing is loaded or opened before the first request. */
export function createOperatorFetch(): {
  readonly fetch: OperatorFetch;
  /** Cuts what is under way. */
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
