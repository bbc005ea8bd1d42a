import type { Clock, Undo } from '../clock.ts';

/** Lets all clients read what is new. */
export interface Rounds {
  /** Something is new: a round follows, or follows the one that is under way. */
  readonly wake: () => void;
  readonly stop: () => void;
}

/** What rounds are made of. */
export interface RoundsParts<Client> {
  readonly clients: ReadonlySet<Client>;
  readonly serve: (client: Client) => void;
  /** Runs it when what is under way now has ended. */
  readonly soon: (run: () => void) => void;
  readonly clock: Clock;
}

/** After so long other work gets a turn in the middle of a round. */
const sliceMs = 8;
const looksEvery = 32;

/**
 * Rounds through the clients. However many events come in one, each client is served once in it; and
 * after a long round the next one waits as long as that one took. So the more clients there are, the
 * more events go out together, and telling of events takes half of the server's time at the most.
 */
export function createRounds<Client>(parts: RoundsParts<Client>): Rounds {
  const { clients, serve, soon, clock } = parts;
  let isPlanned = false;
  let isNew = false;
  let isStopped = false;
  let stopPause: Undo | null = null;

  function wake(): void {
    isNew = true;
    if (isPlanned || isStopped) return;
    isPlanned = true;
    soon(begin);
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
        soon(() => slice(rest, spent));
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
