/**
 * What was converted, for all servers: each keeps what it made or read in a folder of its own, and a copy is
 * in the blob store. A store that fails or is slow delays no process and fails no segment: what is not there
 * is converted.
 */
import { createHash } from 'node:crypto';
import type { Log } from '../../../kernel/index.ts';
import type { BlobStore } from '../../platform/blobs/index.ts';
import type { PartStore } from './part-store.ts';

/** Copies that are under way; what comes meanwhile is not copied. */
const mostCopies = 16;

/** The kind of its blobs. */
export const convertedKind = 'conversions';

const keyOf = (key: string): string =>
  `${convertedKind}/${createHash('sha256').update(key).digest('hex')}`;

export function createSharedParts(own: PartStore, blobs: BlobStore, log: Log): PartStore {
  let copies = 0;

  function copy(key: string, bytes: Uint8Array): void {
    if (copies >= mostCopies) return;
    copies += 1;
    blobs
      .write(keyOf(key), bytes)
      .catch((err: unknown) => log.debug({ err }, 'A converted segment was not copied.'))
      .finally(() => (copies -= 1));
  }

  return {
    // A process that goes on where another one has been costs less than to ask for each segment.
    has: own.has,
    size: own.size,
    read: async (key) => (await own.read(key)) ?? (await blobs.read(keyOf(key)).catch(() => null)),
    write: async (key, bytes) => {
      await own.write(key, bytes);
      copy(key, bytes);
    },
  };
}
