import type { Clock, Undo } from '../../platform/clock.ts';

/** Sends new events to all clients. */
export interface FanOut {
  /** There are new events: starts a round, or another one after the current round. */
  readonly wake: () => void;
  readonly stop: () => void;
}

export interface FanOutParts<Client> {
  readonly clients: ReadonlySet<Client>;
  readonly serve: (client: Client) => void;
  /** Defers a function until the current work has ended. */
  readonly defer: (run: () => void) => void;
  readonly clock: Clock;
}

/** A round yields to other work after this long. */
const sliceMs = 8;
const looksEvery = 32;

/**
 * The fan-out loop. One round serves each client once, with all new events; after a long round it
 * pauses as long as the round took. So with more clients more events are sent together, and the
 * fan-out takes at most half of the server's time.
 */
export function createFanOut<Client>(parts: FanOutParts<Client>): FanOut {
  const { clients, serve, defer, clock } = parts;
  let isPlanned = false;
  let isNew = false;
  let isStopped = false;
  let stopPause: Undo | null = null;

  function wake(): void {
    isNew = true;
    if (isPlanned || isStopped) return;
    isPlanned = true;
    defer(begin);
  }

  function begin(): void {
    isNew = false;
    slice(clients.values(), 0);
  }

  function slice(rest: IterableIterator<Client>, spentMs: number): void {
    const from = clock.now();
    let served = 0;
    for (let next = rest.next(); next.done !== true; next = rest.next()) {
      if (isStopped) return;
      serve(next.value);
      served += 1;
      if (served % looksEvery === 0 && clock.now() - from >= sliceMs) {
        const spent = spentMs + clock.now() - from;
        defer(() => slice(rest, spent));
        return;
      }
    }
    end(spentMs + clock.now() - from);
  }

  function end(spentMs: number): void {
    if (spentMs < sliceMs) ready();
    else stopPause = clock.after(spentMs, ready);
  }

  function ready(): void {
    isPlanned = false;
    stopPause = null;
    if (isNew) wake();
  }

  return {
    wake,
    stop: () => {
      isStopped = true;
      stopPause?.();
    },
  };
}
