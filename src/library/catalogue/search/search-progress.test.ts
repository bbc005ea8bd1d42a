import { describe, expect, test } from 'vitest';
import { createFakeClock } from '../../../../test/support/fake-clock.ts';
import { SearchProgress, type SharedProgress } from './search-progress.ts';

/** A progress whose feed is at number 20, and a search for a change that waits. */
function begin(change: number, shared?: SharedProgress) {
  const clock = createFakeClock();
  const progress = new SearchProgress({
    providers: () => ['index', 'another'],
    lastNumber: async () => 20,
    shared,
    clock,
  });
  const search = { isOver: false };
  void progress.reach(change).then(() => (search.isOver = true));
  return { clock, progress, search };
}

describe('a search that waits for a change', () => {
  test('goes on as soon as the index that answers it has the change', async () => {
    const { clock, progress, search } = begin(7);

    progress.passed('index', 6);
    progress.passed('another', 20);
    await clock.advance(400);
    const early = search.isOver;
    progress.passed('index', 7);
    await clock.advance(0);

    expect([early, search.isOver, clock.timers()]).toEqual([false, true, 0]);
  });

  test('waits half a second at most, and not for what is there', async () => {
    const { clock, progress, search } = begin(7);
    await clock.advance(499);
    const early = search.isOver;
    await clock.advance(1);
    progress.passed('index', 9);
    await progress.reach(9);

    expect([early, search.isOver, clock.timers()]).toEqual([false, true, 0]);
  });

  test('waits again after the plugin started over', async () => {
    const { clock, progress } = begin(7);
    progress.passed('index', 9);
    progress.passed('index', 8);
    await progress.reach(9);
    progress.passed('index', 0);
    const later = { isOver: false };
    void progress.reach(5).then(() => (later.isOver = true));
    await clock.advance(499);

    expect(later.isOver).toBe(false);
  });

  test('does not wait for a number that no change has had', async () => {
    const { clock, search } = begin(21);
    await clock.advance(0);

    expect([search.isOver, clock.timers()]).toEqual([true, 0]);
  });

  test('learns from the database what the index of another server has', async () => {
    let kept = 6;
    const shared = { keep: async () => undefined, find: async () => kept };
    const { clock, search } = begin(7, shared);
    await clock.advance(100);
    const early = search.isOver;
    kept = 7;
    await clock.advance(40);

    expect([early, search.isOver, clock.timers()]).toEqual([false, true, 0]);
  });
});

test('a plugin that serves search does not wait for its turn while a search waits for it', async () => {
  const { clock, progress } = begin(7);
  const never = new Promise<number>(() => undefined);
  await clock.advance(500);
  const turns = [progress.turnOf('index', 500, () => never)];
  void progress.reach(9);
  await clock.advance(0);
  turns.push(progress.turnOf('index', 500, () => never));
  turns.push(progress.turnOf('tags', 500, async () => 100));

  expect(await Promise.all(turns)).toEqual([500, 500, 100]);
});

test('only a plugin that serves search costs a read of the last number', async () => {
  const { progress } = begin(7);

  expect([await progress.before('index'), await progress.before('tags')]).toEqual([20, 0]);
});
