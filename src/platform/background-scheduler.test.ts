import { beforeEach, describe, expect, test } from 'vitest';
import { createFakeClock, type FakeClock } from '../../test/support/fake-clock.ts';
import { createBackgroundScheduler, type BackgroundScheduler } from './background-scheduler.ts';

let clock: FakeClock;
let background: BackgroundScheduler;

beforeEach(() => {
  clock = createFakeClock();
  background = createBackgroundScheduler(clock, (run) => run());
});

/** Background work of steps that cost nothing: notes when each began. */
function work(): { readonly steps: number[]; readonly stop: () => void } {
  const steps: number[] = [];
  const startedAt = clock.now();
  let isOver = false;
  void (async () => {
    while (!isOver) {
      await background.waitForSlot();
      steps.push(clock.now() - startedAt);
      await new Promise<void>((resolve) => void clock.after(1, resolve));
    }
  })();
  return { steps, stop: () => (isOver = true) };
}

/** A client that asks again `pauseMs` after each answer, which takes `latencyMs`. */
async function client(latencyMs: number, pauseMs: number, forMs: number): Promise<Request[]> {
  const requests: Request[] = [];
  const endsAt = clock.now() + forMs;
  while (clock.now() < endsAt) {
    const from = clock.now();
    const end = background.request();
    await clock.advance(latencyMs);
    requests.push({ from, to: clock.now() });
    end();
    await clock.advance(pauseMs);
  }
  return requests;
}

interface Request {
  readonly from: number;
  readonly to: number;
}

describe('background work', () => {
  test('starts at once while there are no requests', async () => {
    const { steps, stop } = work();
    await clock.advance(100);
    stop();

    expect(steps.length).toBe(101);
  });

  test('waits while a request is in flight, for 250 ms at most', async () => {
    const end = background.request();
    const { steps, stop } = work();
    await clock.advance(249);
    expect(steps).toEqual([]);
    await clock.advance(1);
    expect(steps).toEqual([250]);
    end();
    stop();
  });

  test('continues when the requests have ended and a quiet time has passed', async () => {
    const end = background.request();
    const { steps, stop } = work();
    await clock.advance(50);
    end();
    await clock.advance(24);
    expect(steps).toEqual([]);
    await clock.advance(1);
    expect(steps).toEqual([75]);
    stop();
  });

  test('takes at most one step in 60 ms in the pauses between concurrent requests', async () => {
    const crowd = async (times: number): Promise<void> => {
      for (let time = 0; time < times; time++) {
        const ends = [background.request(), background.request()];
        await clock.advance(4);
        for (const end of ends) end();
        await clock.advance(240);
      }
    };
    await crowd(8);
    const { steps, stop } = work();
    await crowd(4);
    stop();

    const gaps = steps.slice(1).map((at, before) => at - steps[before]!);
    expect(Math.min(...gaps)).toBe(60);
    expect(steps.length).toBeGreaterThan(8);
  });

  test('takes at least four steps a second under a client that never pauses', async () => {
    const { steps, stop } = work();
    const end = background.request();
    await clock.advance(10_000);
    end();
    stop();

    expect(steps.length).toBeGreaterThanOrEqual(40);
  });

  test.each([
    [2, 1],
    [5, 1],
    [10, 1],
    [10, 50],
  ])(
    'in steps of 4 ms overlaps less than one request in 20 of %i ms, %i ms apart',
    async (latencyMs, pauseMs) => {
      await client(latencyMs, pauseMs, 1_000);
      const startedAt = clock.now();
      const workers = [work(), work()];
      const requests = await client(latencyMs, pauseMs, 10_000);
      for (const { stop } of workers) stop();
      const steps = workers.flatMap(({ steps: times }) => times).map((at) => startedAt + at);

      const disturbed = requests.filter(({ from, to }) =>
        steps.some((at) => at + 4 > from && at < to),
      );

      expect(disturbed.length / requests.length).toBeLessThan(0.05);
      expect(steps.length).toBeGreaterThanOrEqual(40);
    },
  );

  test.each([20, 60])(
    'takes a step in most pauses of a client that asks again after %i ms, and delays none',
    async (pauseMs) => {
      await client(5, pauseMs, 1_000);
      const startedAt = clock.now();
      const { steps, stop } = work();
      const requests = await client(5, pauseMs, 10_000);
      stop();

      expect(steps.length).toBeGreaterThan(requests.length / 3);
      const disturbed = requests.filter(({ from, to }) =>
        steps.some((at) => startedAt + at + 10 > from && startedAt + at < to),
      );
      expect(disturbed).toEqual([]);
    },
  );

  test('continues at full speed soon after a busy time', async () => {
    await client(5, 100, 2_000);
    await clock.advance(250);
    const { steps, stop } = work();
    await clock.advance(20);
    stop();

    expect(steps.length).toBe(21);
  });

  test.each([
    ['ahead by a year', 365 * 86_400_000],
    ['back by a day', -86_400_000],
  ])('continues in time when the clock is set %s', async (_how, byMs) => {
    const end = background.request();
    let isDone = false;
    void background.waitForSlot().then(() => (isDone = true));
    await clock.advance(100);
    clock.set(byMs);

    await clock.advance(149);
    expect(isDone).toBe(false);
    await clock.advance(1);
    end();

    expect(isDone).toBe(true);
  });

  test('is not held up by a request whose end is reported twice', async () => {
    const first = background.request();
    first();
    first();
    const second = background.request();
    second();
    await clock.advance(250);

    expect(await background.batchSize(500)).toBe(500);
  });

  test('takes full batches without clients, and small batches while clients are served', async () => {
    expect(await background.batchSize(500)).toBe(500);

    background.request();
    const besideClient = background.batchSize(500);
    await clock.advance(250);

    expect(await besideClient).toBe(100);
  });

  test('takes small batches under many clients, for any pauses between them', async () => {
    for (let asked = 0; asked < 10; asked += 1) {
      background.request()();
      await clock.advance(8);
    }
    const betweenClients = background.batchSize(500);
    await clock.advance(30);
    expect(await betweenClients).toBe(100);

    await clock.advance(250);
    expect(await background.batchSize(500)).toBe(500);
  });

  test('takes full batches under a client that asks once a second', async () => {
    await client(5, 1_000, 3_000);
    background.request()();
    const besidePoller = background.batchSize(500);
    await clock.advance(30);
    expect(await besidePoller).toBe(500);

    background.request()();
    background.request()();
    const besideVisitor = background.batchSize(500);
    await clock.advance(50);
    expect(await besideVisitor).toBe(100);
  });

  test('takes full batches under a client that sends a command and looks, but not under one that keeps reading', async () => {
    for (const kind of ['command', 'reading', 'command', 'command', 'reading'] as const) {
      background.request(kind)();
      await clock.advance(2);
    }
    const afterCommands = background.batchSize(500);
    await clock.advance(30);
    expect(await afterCommands).toBe(500);

    background.request('reading')();
    background.request('command')();
    const afterReading = background.batchSize(500);
    await clock.advance(50);
    expect(await afterReading).toBe(100);
  });

  test('is deferred by milliseconds while clients are served, and by event loop turns otherwise', async () => {
    let pieces = 0;
    background.defer(() => (pieces += 1));
    expect(pieces).toBe(1);

    for (let asked = 0; asked < 3; asked += 1) background.request()();
    background.defer(() => (pieces += 1));
    await clock.advance(7);
    expect(pieces).toBe(1);
    await clock.advance(1);
    expect(pieces).toBe(2);
  });
});
