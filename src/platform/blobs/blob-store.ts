/**
 * A store of bytes for all servers: a folder, which may be a shared mount, or a bucket. A key names its
 * content, so two servers that write one key write the same, the last one wins, and nothing is locked.
 * Nobody may assume that no other process uses the store: what was there may be gone, and the other way
 * round.
 */
import type { Readable } from 'node:stream';

/** A part of a blob: from the byte `start` to `end`, both included. */
export interface BlobRange {
  readonly start: number;
  readonly end: number;
}

/** A blob that was opened. Who opens it reads its body to the end, or destroys it. */
export interface OpenedBlob {
  /** Bytes of the body. */
  readonly size: number;
  readonly body: Readable;
}

export interface ListedBlob {
  readonly key: string;
  readonly size: number;
  /** Unix milliseconds of the last write; a folder counts a read as one. */
  readonly usedAt: number;
}

/** The store. It rejects with {@link BlobStoreFailed} where it cannot answer. */
export interface BlobStore {
  readonly has: (key: string) => Promise<boolean>;
  /** `null` = it is not there. */
  readonly read: (key: string, range?: BlobRange) => Promise<OpenedBlob | null>;
  /** Another reader sees all of it or nothing. */
  readonly write: (key: string, bytes: Uint8Array) => Promise<void>;
  /** Bytes; `null` = it is not there. */
  readonly size: (key: string) => Promise<number | null>;
  /** One that is not there is removed as well. */
  readonly remove: (key: string) => Promise<void>;
  /** All whose keys begin with the prefix, in no order. */
  readonly list: (prefix: string) => AsyncIterable<ListedBlob>;
}

/** The store gives no answer. */
export class BlobStoreFailed extends Error {
  /** `full`: it takes nothing more. `refused`: the keys or the bucket are wrong. `away`: anything else. */
  readonly reason: 'full' | 'refused' | 'away';
  constructor(reason: BlobStoreFailed['reason'], message: string, cause?: unknown) {
    super(message, { cause });
    this.reason = reason;
  }
}

const keyForm = /^[a-z][a-z0-9-]{0,40}(?:\/[0-9A-Za-z][\w.-]{0,200}){1,3}$/;
const prefixForm = /^(?:[a-z][a-z0-9-]{0,40}\/(?:[0-9A-Za-z][\w.-]{0,200}\/)*)?$/;

/** Keys are of a kind and of names: `trickplay/<hash>`. Any other is a bug, and never reaches a store. */
export function assertKey(key: string): void {
  if (!isKey(key)) throw new Error(`${JSON.stringify(key)} is not a key of a blob.`);
}

export const isKey = (key: string): boolean => keyForm.test(key);

export function assertPrefix(prefix: string): void {
  if (!prefixForm.test(prefix)) throw new Error(`${JSON.stringify(prefix)} is not a prefix.`);
}
