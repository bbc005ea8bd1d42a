import { beforeEach, describe, expect, test } from 'vitest';
import { createFakeClock, type FakeClock } from '../../../test/support/fake-clock.ts';
import { KernelError, silentLog } from '../../../kernel/index.ts';
import { AppError } from '../../platform/errors.ts';
import { createKeptPictures, keepDelaysMs, type KeptPictures } from './kept-pictures.ts';

interface Row {
  readonly asset_id: string;
  readonly attempts: number;
  readonly next_at: number | string;
}

let clock: FakeClock;
/** The stored queue; it outlives a keeper. */
let queue: Map<string, Row>;
let opened: string[];
let openedAt: number[];
let fails: (id: string) => Error | null;
let hasRoom: boolean;
let enriched: () => void;

beforeEach(() => {
  clock = createFakeClock();
  queue = new Map();
  opened = [];
  openedAt = [];
  fails = () => null;
  hasRoom = true;
});

const want = (...ids: readonly string[]): void =>
  ids.forEach((id) => queue.set(id, { asset_id: id, attempts: 0, next_at: 0 }));

function started(waitForSlot: () => Promise<void> = () => Promise.resolve()): KeptPictures {
  const keeper = createKeptPictures({
    wanted: {
      due: async (now, limit) =>
        [...queue.values()].filter(({ next_at }) => Number(next_at) <= now).slice(0, limit),
      nextAt: async () =>
        queue.size === 0
          ? undefined
          : Math.min(...[...queue.values()].map(({ next_at }) => Number(next_at))),
      postpone: async (row) => void queue.set(row.asset_id, row),
      drop: async (id) => void queue.delete(id),
    },
    open: async (id) => {
      opened.push(id);
      openedAt.push(clock.now());
      const error = fails(id);
      if (error) throw error;
      return { status: 200, headers: {}, body: null };
    },
    hasRoom: async () => hasRoom,
    background: { waitForSlot },
    clock,
    log: silentLog,
  });
  keeper.start({
    listen: (_, listener) => {
      enriched = listener;
      return () => undefined;
    },
  });
  return keeper;
}

describe('pictures in the queue', () => {
  test('are fetched after the items were looked up, each once', async () => {
    started();
    await clock.advance(0);
    want('a', 'b');
    enriched();
    enriched();
    await clock.advance(1000);
    enriched();
    await clock.advance(1000);

    expect(opened).toEqual(['a', 'b']);
    expect(queue.size).toBe(0);
  });

  test('are tried again at growing intervals while their host is away, and given up at last', async () => {
    fails = () => new KernelError('net_unreachable', 'It is away.');
    want('a');
    started();
    await clock.advance(0);
    await clock.advance(8 * 24 * 3_600_000);

    const pauses = openedAt.slice(1).map((at, no) => at - (openedAt[no] ?? 0));
    expect(pauses).toEqual(keepDelaysMs);
    expect(queue.size).toBe(0);
  });

  test('of another server are found without an event', async () => {
    started();
    await clock.advance(0);
    want('a');
    await clock.advance(600_000);

    expect(opened).toEqual(['a']);
  });

  test('are left to the next start when the server stops between two', async () => {
    want('a', 'b');
    let slots = 0;
    const keeper = started(async () => {
      slots += 1;
      if (slots === 2) await new Promise<void>((go) => (release = go));
    });
    let release = (): void => undefined;
    await clock.advance(0);
    const stopped = keeper.stop();
    release();
    await stopped;
    expect([opened, [...queue.keys()]]).toEqual([['a'], ['b']]);

    started();
    await clock.advance(0);
    expect(opened).toEqual(['a', 'b']);
  });

  test('wait while the cache is full, and one whose item is gone is dropped', async () => {
    hasRoom = false;
    fails = () => new AppError('not_found', { what: 'Asset a' });
    want('a');
    started();
    await clock.advance(0);
    expect(opened).toEqual([]);

    hasRoom = true;
    await clock.advance(600_000);
    expect([opened, queue.size]).toEqual([['a'], 0]);
  });
});
