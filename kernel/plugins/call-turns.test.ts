import { describe, expect, test } from 'vitest';
import { createCallTurns, type EndTurn } from './call-turns.ts';

const { signal } = new AbortController();

/** A line whose server does nothing else until it is told that it is through with it. */
function openLine() {
  const soon: (() => void)[] = [];
  const rests: number[] = [];
  const turns = createCallTurns((run, afterMs) => {
    rests.push(afterMs);
    soon.push(run);
  });
  const began: string[] = [];
  const ends = new Map<string, EndTurn>();
  const call = async (name: string, by: AbortSignal = signal): Promise<void> => {
    const end = await turns.take(by);
    began.push(name);
    ends.set(name, end);
  };
  return {
    ...{ call, began, rests },
    end: async (name: string, heldMs = 0) => {
      ends.get(name)?.(heldMs);
      await Promise.resolve();
    },
    goOn: async () => {
      soon.shift()?.();
      await new Promise(setImmediate);
    },
  };
}

describe('the line of a plugin', () => {
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

  test('lets the server do something else between two calls, also when nobody waited', async () => {
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

  test('refuses whoever ended while they waited, and goes on', async () => {
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
});
