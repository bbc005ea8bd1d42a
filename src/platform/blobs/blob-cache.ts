/**
 * What can be made again, kept for all servers: the answers of a disk cache as blobs of one kind. A store
 * that fails has nothing and takes nothing, and no request fails for it. The sweep of the leader keeps the
 * limit, so a cache may have more for a while.
 */
import { createHash } from 'node:crypto';
import type { Log } from '../../../kernel/index.ts';
import { packAnswer, unpackAnswer, type CachedAnswer, type DiskCache } from '../net/index.ts';
import type { Clock } from '../clock.ts';
import type { BlobStore } from './blob-store.ts';

export interface BlobCacheParts {
  readonly store: BlobStore;
  /** The kind of its blobs: `trickplay`. */
  readonly kind: string;
  readonly clock: Pick<Clock, 'now'>;
  readonly log: Log;
}

/** How long a size is believed: to count is to list all. */
const countedMs = 10 * 60_000;
/** No answer is larger. */
const mostBytes = 64 * 1024 ** 2;

export function createBlobCache({ store, kind, clock, log }: BlobCacheParts): DiskCache {
  let counted: { readonly at: number; readonly bytes: Promise<number> } | null = null;

  const keyOf = (key: string): string =>
    `${kind}/${createHash('sha256').update(key).digest('hex')}`;

  async function read(key: string): Promise<CachedAnswer | null> {
    const blob = await store.read(keyOf(key));
    if (blob === null) return null;
    const parts: Buffer[] = [];
    let length = 0;
    for await (const part of blob.body as AsyncIterable<Buffer>) {
      length += part.length;
      if (length > mostBytes) return null;
      parts.push(part);
    }
    return unpackAnswer(Buffer.concat(parts));
  }

  async function orElse<T>(work: Promise<T>, otherwise: T): Promise<T> {
    try {
      return await work;
    } catch (err) {
      log.debug({ err, kind }, 'The blob store did not answer; it is done without it.');
      return otherwise;
    }
  }

  return {
    read: (key) => orElse(read(key), null),
    write: (key, answer) => orElse(store.write(keyOf(key), packAnswer(answer)), undefined),
    remove: (key) => orElse(store.remove(keyOf(key)), undefined),
    size: () => {
      if (counted === null || clock.now() - counted.at > countedMs)
        counted = { at: clock.now(), bytes: orElse(sizeOf(store, kind), 0) };
      return counted.bytes;
    },
  };
}

/** Bytes of all blobs of a kind. */
async function sizeOf(store: BlobStore, kind: string): Promise<number> {
  let sum = 0;
  for await (const { size } of store.list(`${kind}/`)) sum += size;
  return sum;
}
