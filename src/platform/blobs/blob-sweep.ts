/**
 * Keeps the kinds of a blob store within their limits, on one server at a time: no server counts what all
 * of them write. Those that rest longest go first, to nine tenths of the limit.
 */
import type { Log } from '../../../kernel/index.ts';
import type { Clock, Undo } from '../clock.ts';
import type { BlobStore, ListedBlob } from './blob-store.ts';

/** The most bytes of each kind. */
export type BlobLimits = Readonly<Record<string, number>>;

export interface BlobSweepParts {
  readonly store: BlobStore;
  readonly limits: BlobLimits;
  readonly clock: Clock;
  readonly log: Log;
}

const everyMs = 10 * 60_000;

/** Sweeps one kind, and gives the bytes that it has then. */
export async function sweepKind(store: BlobStore, kind: string, limit: number): Promise<number> {
  const found: ListedBlob[] = [];
  let total = 0;
  for await (const blob of store.list(`${kind}/`)) {
    found.push(blob);
    total += blob.size;
  }
  if (total <= limit) return total;
  found.sort((one, other) => one.usedAt - other.usedAt);
  for (const { key, size } of found) {
    if (total <= limit * 0.9) break;
    await store.remove(key);
    total -= size;
  }
  return total;
}

/** Starts ten minutes after this server became the one that sweeps. */
export function createBlobSweep({ store, limits, clock, log }: BlobSweepParts): {
  readonly start: () => void;
  readonly stop: () => void;
} {
  let cancel: Undo = () => undefined;
  let isOn = false;

  async function sweep(): Promise<void> {
    for (const [kind, limit] of Object.entries(limits))
      if (isOn)
        await sweepKind(store, kind, limit).catch((err: unknown) =>
          log.warn({ err, kind }, 'The blob store was not swept.'),
        );
  }

  function later(): void {
    cancel = clock.after(everyMs, () => void sweep().finally(() => (isOn ? later() : undefined)));
  }

  return {
    start: () => {
      isOn = true;
      later();
    },
    stop: () => {
      isOn = false;
      cancel();
    },
  };
}
