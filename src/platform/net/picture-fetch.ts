import { KernelError } from '../../../kernel/index.ts';
import type { Fetcher } from './fetcher.ts';
import { pictureType } from './picture-type.ts';

/** A picture that a plugin named. */
export interface PictureRequest {
  readonly url: string;
  /**
   * The plugin that named it. Only hosts that were granted to the plugin are contacted: a picture's
   * address can carry data of the plugin, so it counts as a request of that plugin.
   */
  readonly pluginId: string;
  readonly signal?: AbortSignal;
}

/** A picture that can be sent to clients. */
export interface Picture {
  /** Read from its bytes, not from the host's headers. */
  readonly mimeType: string;
  readonly bytes: Uint8Array;
}

/** Fetches a picture, from the cache if possible; rejects with a `KernelError`. */
export type PictureFetch = (request: PictureRequest) => Promise<Picture>;

const maxBytes = 8_388_608;
const timeoutMs = 15_000;
/** Pictures at one address rarely change, so they are fresh for a week. */
const maxAgeSeconds = 604_800;

/** Creates it over a fetcher with a cache for pictures. */
export function createPictureFetch(parts: {
  readonly fetcher: Fetcher;
  /** Patterns of hosts that were granted to a plugin. */
  readonly grantedHosts: (pluginId: string) => readonly string[];
}): PictureFetch {
  return async ({ url, pluginId, signal }) => {
    const { status, body } = await parts.fetcher({
      url,
      pluginId,
      granted: parts.grantedHosts(pluginId),
      method: 'GET',
      headers: { accept: 'image/avif,image/webp,image/png,image/jpeg,image/gif' },
      body: null,
      maxBytes,
      timeoutMs,
      maxAge: maxAgeSeconds,
      keeps: (reply) => reply.status !== 200 || pictureType(reply.body) !== null,
      signal: signal ?? new AbortController().signal,
    });
    if (status !== 200) throw noPicture(`The picture's host answered with status ${status}.`);
    const mimeType = pictureType(body);
    if (mimeType === null) throw noPicture('The response of its host is not a supported image.');
    return { mimeType, bytes: body };
  };
}

function noPicture(what: string): KernelError {
  return new KernelError('net_unreachable', what);
}
