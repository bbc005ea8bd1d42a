import { describe, expect, test } from 'vitest';
import { createFakeClock } from '../../../test/support/fake-clock.ts';
import type { CallPriority } from '../../call/call-priority.ts';
import { createCallQueue, type EndCall } from './call-queue.ts';

const { signal } = new AbortController();

/** A queue whose other work ends only when the test says so. */
function openLine() {
  const soon: (() => void)[] = [];
  const rests: number[] = [];
  const clock = createFakeClock();
  const queue = createCallQueue({
    clock,
    soon: (run, afterMs) => {
      rests.push(afterMs);
      soon.push(run);
    },
  });
  const began: string[] = [];
  const ends = new Map<string, EndCall>();
  const call = async (
    name: string,
    by: AbortSignal = signal,
    priority: CallPriority = 'background',
  ): Promise<void> => {
    const end = await queue.take(by, priority);
    began.push(name);
    ends.set(name, end);
  };
  return {
    ...{ call, began, rests, clock },
    end: async (name: string, heldMs = 0, bytes = 0) => {
      ends.get(name)?.(heldMs, bytes);
      await Promise.resolve();
    },
    goOn: async () => {
      soon.shift()?.();
      await new Promise(setImmediate);
    },
  };
}

describe('the call queue of a plugin', () => {
  test('lets one call begin at a time, in the order in which they came', async () => {
    const { call, began, end, goOn } = openLine();
    const all = Promise.all(['a', 'b', 'c'].map((name) => call(name)));

    await goOn();
    expect(began).toEqual(['a']);
    await end('a');
    await goOn();
    expect(began).toEqual(['a', 'b']);
    await end('b');
    await goOn();
    await all;
    expect(began).toEqual(['a', 'b', 'c']);
  });

  test('lets the server do something else between two calls, also when no call waited', async () => {
    const { call, began, end, goOn } = openLine();
    await call('a');
    await end('a');

    const second = call('b');
    await Promise.resolve();
    expect(began).toEqual(['a']);
    await goOn();
    await second;

    expect(began).toEqual(['a', 'b']);
  });

  test('rests for three times as long as a call held the thread, and for a moment at most', async () => {
    const { call, rests, end } = openLine();
    await call('a');

    for (const heldMs of [0.9, 5.5, 4000]) await end('a', heldMs);

    expect(rests).toEqual([0, 15, 100]);
  });

  test('carries 1 MiB at once and then 8 MiB a second, over all its calls', async () => {
    const { call, rests, clock, end } = openLine();
    const mebibyte = 1_048_576;
    await call('a');

    await end('a', 0, mebibyte);
    await end('a', 0, 2 * mebibyte);
    await end('a', 0, 8 * mebibyte);
    await clock.advance(1344);
    await end('a', 0, mebibyte / 2);
    await end('a', 0, mebibyte);

    expect(rests).toEqual([0, 256, 1280, 0, 128]);
  });

  test('notes what a slow call carried, and rests for it after the next one', async () => {
    const { call, rests, clock, end, goOn } = openLine();
    await call('slow');
    const next = call('next');
    await clock.advance(250);
    await goOn();
    await next;

    await end('slow', 0, 9 * 1_048_576);
    await end('next');

    expect(rests).toEqual([100, 1024]);
  });

  test('refuses a call whose plugin ended while it waited, and continues', async () => {
    const { call, began, end, goOn } = openLine();
    const ended = new AbortController();
    await call('a');
    const [late, next] = [call('b', ended.signal), call('c')];
    const refused = expect(late).rejects.toMatchObject({ code: 'plugin_not_running' });

    ended.abort();
    await end('a');
    await goOn();
    await goOn();
    await Promise.all([refused, next]);

    expect(began).toEqual(['a', 'c']);
  });

  test('goes on beside a call that gives no answer, after a quarter of a second', async () => {
    const { call, began, rests, clock, goOn } = openLine();
    await call('hung');
    const next = call('next');

    await clock.advance(249);
    await goOn();
    expect(began).toEqual(['hung']);
    await clock.advance(1);
    await goOn();
    await next;

    expect(began).toEqual(['hung', 'next']);
    expect(rests).toEqual([100]);
  });

  test('waits four times as long for each slow call that is still running', async () => {
    const { call, began, clock, goOn } = openLine();
    const all = Promise.all(['a', 'b', 'c', 'd', 'e', 'f', 'g'].map((name) => call(name)));

    for (const [slow, ms] of [250, 1000, 4000, 16_000, 64_000, 64_000].entries()) {
      await clock.advance(ms - 1);
      await goOn();
      expect(began).toHaveLength(slow + 1);
      await clock.advance(1);
      await goOn();
      expect(began).toHaveLength(slow + 2);
    }
    await all;
  });

  test('returns to its usual wait when the slow call is over, which frees no second turn', async () => {
    const { call, began, rests, clock, end, goOn } = openLine();
    await call('slow');
    const others = Promise.all(['b', 'c', 'd'].map((name) => call(name)));
    await clock.advance(250);
    await goOn();

    await end('slow');
    await goOn();
    expect(began).toEqual(['slow', 'b']);
    await end('b');
    await goOn();
    expect(began).toEqual(['slow', 'b', 'c']);
    await clock.advance(250);
    await goOn();
    await others;

    expect(began).toEqual(['slow', 'b', 'c', 'd']);
    expect(rests).toEqual([100, 0, 100]);
  });

  test('does not let a call for which a request waits wait for a background call', async () => {
    const { call, began, end } = openLine();
    await call('background');
    void call('second in background');

    await call('for a person', signal, 'request');
    void call('second for a person', signal, 'request');
    await end('background');

    expect(began).toEqual(['background', 'for a person']);
  });

  test('leaves no timer behind a call that was quick', async () => {
    const { call, clock, end } = openLine();
    await call('a');

    await end('a');

    expect(clock.timers()).toBe(0);
  });
});
