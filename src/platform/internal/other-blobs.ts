/** What only one server has in its data folder, for the others. */
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { LRUCache } from 'lru-cache';
import type { Clock } from '../clock.ts';
import type { AskServer } from './ask-server.ts';
import type { BlobKind } from './internal-port.ts';

/** A blob in the data folder; `null` = there is none, or the disk cannot be read. */
export const keptBlob = (
  dataFolder: string,
  { kind, name }: { readonly kind: BlobKind; readonly name: string },
): Promise<Buffer | null> => readFile(path.join(dataFolder, 'cache', kind, name)).catch(() => null);

export interface OtherBlobsParts {
  readonly ask: Pick<AskServer, 'get'>;
  /** The internal ports of the other servers. */
  readonly servers: () => Promise<readonly string[]>;
  readonly clock: Pick<Clock, 'now'>;
}

const waitMs = 1500;
/** What nobody has is not asked for again at once. */
const absentMs = 10_000;
/** A server that says nothing in time may be frozen, and is not asked for so long. */
const silentMs = 10_000;
const mostAbsent = 5000;

/** Finds blobs at other servers. */
export class OtherBlobs {
  readonly #parts: OtherBlobsParts;
  readonly #silentAt = new Map<string, number>();
  readonly #absentAt = new LRUCache<string, number>({ max: mostAbsent });

  constructor(parts: OtherBlobsParts) {
    this.#parts = parts;
  }

  /** Asks all at once, and takes the first that has it. Never rejects. */
  async find(kind: BlobKind, name: string): Promise<Buffer | null> {
    const { servers, clock } = this.#parts;
    const at = `/v1/blobs/${kind}/${name}`;
    const absentAt = this.#absentAt.get(at);
    if (absentAt !== undefined && clock.now() - absentAt < absentMs) return null;
    const addresses = await servers().catch(() => []);
    const found = await Promise.any(
      addresses.map(async (address) => {
        const bytes = await this.#ask(address, at);
        if (bytes === null) throw new Error('It has none.');
        return bytes;
      }),
    ).catch(() => null);
    if (found === null) this.#absentAt.set(at, clock.now());
    return found;
  }

  async #ask(address: string, path: string): Promise<Buffer | null> {
    const { ask, clock } = this.#parts;
    const askedAt = clock.now();
    if (askedAt - (this.#silentAt.get(address) ?? -silentMs) < silentMs) return null;
    const bytes = await ask.get(address, path, waitMs);
    if (clock.now() - askedAt >= waitMs) this.#silentAt.set(address, clock.now());
    return bytes;
  }
}
