/**
 * One connection that all readers use. A thread for each would cost ten megabytes, and a thread that
 * has just worked answers sooner than one that has to be woken. Reads have no transactions, so their
 * statements may follow each other on one connection.
 *
 * No read waits long for another: a statement that reads the whole file has a connection of its own,
 * and while any other statement takes long, the statements after it use a second connection, which
 * is closed when it is not needed.
 */
import type { SqliteConnection } from './driver.ts';

/** How to open a connection, and the clock. */
export interface SharedReaderParts {
  readonly open: () => Promise<SqliteConnection>;
  readonly now: () => number;
  readonly after: (ms: number, run: () => void) => void;
}

/** While a statement takes longer, later statements use the second connection. In milliseconds. */
const longMs = 25;
/** How long the second connection stays open while idle. */
const idleMs = 10_000;

const ofWholeFile = /^\s*(vacuum|pragma\s+(integrity|quick|foreign_key)_check)\b/i;

/** Leases one shared connection to all readers of a pool. It is closed when the last lease ends. */
export function createSharedReader({ open, now, after }: SharedReaderParts): {
  readonly lease: () => Promise<SqliteConnection>;
} {
  let first: Lane | null = null;
  let second: Lane | null = null;
  let leases = 0;

  const usable = (lane: Lane | null): Lane =>
    lane === null || lane.isBroken() ? openLane(open, now) : lane;

  function laneInTime(): Lane {
    first = usable(first);
    if (!first.isLate()) return first;
    const lane = usable(second);
    if (lane !== second) closeWhenIdle(lane);
    second = lane;
    return lane;
  }

  function closeWhenIdle(lane: Lane): void {
    after(idleMs, () => {
      if (second !== lane) return;
      if (lane.idleMs() < idleMs) {
        closeWhenIdle(lane);
        return;
      }
      second = null;
      void lane.close();
    });
  }

  async function alone(...asked: Parameters<SqliteConnection['run']>) {
    const connection = await open();
    try {
      return await connection.run(...asked);
    } finally {
      await connection.close();
    }
  }

  const run: SqliteConnection['run'] = (...asked) =>
    ofWholeFile.test(asked[0]) ? alone(...asked) : laneInTime().run(...asked);

  async function release(): Promise<void> {
    leases -= 1;
    if (leases > 0) return;
    const lanes = [first, second];
    first = null;
    second = null;
    for (const lane of lanes) await lane?.close();
  }

  return {
    lease: async () => {
      first = usable(first);
      await first.opened;
      leases += 1;
      let isOpen = true;
      return {
        run: async (...asked) => {
          if (!isOpen) throw new Error('The connection is closed.');
          return run(...asked);
        },
        isOpen: () => isOpen,
        close: async () => {
          if (!isOpen) return;
          isOpen = false;
          await release();
        },
      };
    },
  };
}

/** One connection, with the time that its current statement has taken. */
interface Lane {
  readonly opened: Promise<SqliteConnection>;
  readonly run: SqliteConnection['run'];
  readonly isLate: () => boolean;
  /** How long it has been idle, in milliseconds; 0 while it works. */
  readonly idleMs: () => number;
  readonly isBroken: () => boolean;
  /** Never rejects. */
  readonly close: () => Promise<void>;
}

function openLane(open: SharedReaderParts['open'], now: () => number): Lane {
  let pending = 0;
  /** When the first statement without an answer began, or the last answer came. */
  let since = now();
  let connection: SqliteConnection | null = null;
  let hasFailed = false;
  const opened = open();
  opened.then(
    (its) => (connection = its),
    () => (hasFailed = true),
  );
  return {
    opened,
    run: async (...asked) => {
      if (pending === 0) since = now();
      pending += 1;
      try {
        return await (connection ?? (await opened)).run(...asked);
      } finally {
        pending -= 1;
        since = now();
      }
    },
    isLate: () => pending > 0 && now() - since > longMs,
    idleMs: () => (pending > 0 ? 0 : now() - since),
    isBroken: () => hasFailed || connection?.isOpen() === false,
    close: () =>
      opened.then(
        (its) => its.close(),
        () => undefined,
      ),
  };
}
