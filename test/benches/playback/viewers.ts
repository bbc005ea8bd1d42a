/**
 * Viewers of a film in a thread of their own: what they receive does not delay the client whose answers
 * are measured.
 */
import { once } from 'node:events';
import { isMainThread, Worker, workerData } from 'node:worker_threads';

/** What they watch. */
export interface Watching {
  /** Addresses of the segments of each track, in order. */
  readonly segments: readonly (readonly string[])[];
  readonly viewers: number;
  /** Milliseconds that a segment plays. */
  readonly pause: number;
  /** Milliseconds until they stop. */
  readonly watchMs: number;
}

/** Resolves when the last of them stopped; rejects when a segment cannot be had. */
export async function watchApart(watching: Watching): Promise<void> {
  const worker = new Worker(new URL(import.meta.url), { workerData: watching });
  await once(worker, 'exit');
}

const wait = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

/** Each takes a segment of every track as fast as the film plays. */
async function watch({ segments, viewers, pause, watchMs }: Watching): Promise<void> {
  const end = performance.now() + watchMs;
  const one = async (viewer: number): Promise<void> => {
    await wait((viewer / viewers) * pause);
    for (let n = viewer; performance.now() < end; n++) {
      const from = performance.now();
      for (const track of segments) {
        const url = track[n % track.length];
        if (url === undefined) continue;
        const reply = await fetch(url);
        if (!reply.ok) throw new Error(`${url}: ${String(reply.status)}`);
        await reply.arrayBuffer();
      }
      await wait(Math.max(0, pause - (performance.now() - from)));
    }
  };
  await Promise.all(Array.from({ length: viewers }, (_, viewer) => one(viewer)));
}

if (!isMainThread && workerData !== null) await watch(workerData as Watching);
