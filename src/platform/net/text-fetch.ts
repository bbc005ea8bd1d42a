import { KernelError } from '../../../kernel/index.ts';
import type { Fetcher } from './fetcher.ts';

/** A text that a plugin named, for example subtitles. */
export interface TextRequest {
  readonly url: string;
  /** The plugin that named it. Only hosts that were granted to the plugin are contacted. */
  readonly pluginId: string;
  readonly maxBytes: number;
}

/** Fetches the bytes of a text; rejects with a `KernelError`. */
export type TextFetch = (request: TextRequest) => Promise<Uint8Array>;

const timeoutMs = 15_000;

export function createTextFetch(parts: {
  readonly fetcher: Fetcher;
  /** Patterns of hosts that were granted to a plugin. */
  readonly grantedHosts: (pluginId: string) => readonly string[];
}): TextFetch {
  return async ({ url, pluginId, maxBytes }) => {
    const { status, body } = await parts.fetcher({
      url,
      pluginId,
      maxBytes,
      timeoutMs,
      granted: parts.grantedHosts(pluginId),
      method: 'GET',
      headers: { accept: 'text/*, */*;q=0.5' },
      body: null,
      signal: new AbortController().signal,
    });
    if (status === 200) return body;
    throw new KernelError(
      'net_unreachable',
      `The host of the text answered with status ${status}.`,
    );
  };
}
