import { describe, expect, test } from 'vitest';
import { createRwLock } from './rw-lock.ts';

describe('a read-write lock', () => {
  test('lets many shared holders run together', async () => {
    const lock = createRwLock();
    const gate = Promise.withResolvers<null>();
    const started: string[] = [];
    const work = (name: string) => () => {
      started.push(name);
      return gate.promise;
    };

    const both = [lock.shared(work('a')), lock.shared(work('b'))];
    await settled();

    expect(started).toEqual(['a', 'b']);
    gate.resolve(null);
    await Promise.all(both);
  });

  test('lets an exclusive holder run alone: after current ones, and before later ones', async () => {
    const lock = createRwLock();
    const gates = { first: Promise.withResolvers<null>(), alone: Promise.withResolvers<null>() };
    const heard: string[] = [];
    const step = (name: string, gate?: Promise<null>) => async () => {
      heard.push(`${name} begins`);
      await gate;
      heard.push(`${name} ends`);
    };

    const all = [
      lock.shared(step('first', gates.first.promise)),
      lock.exclusive(step('alone', gates.alone.promise)),
      lock.shared(step('later')),
    ];
    await settled();
    gates.first.resolve(null);
    await settled();
    gates.alone.resolve(null);
    await Promise.all(all);

    expect(heard).toEqual([
      'first begins',
      'first ends',
      'alone begins',
      'alone ends',
      'later begins',
      'later ends',
    ]);
  });

  test('continues after a failure, which only its own caller receives', async () => {
    const lock = createRwLock();

    const failed = lock.exclusive(() => Promise.reject(new Error('no')));
    const next = lock.shared(async () => 'yes');

    await expect(failed).rejects.toThrow('no');
    await expect(next).resolves.toBe('yes');
  });
});

/** Everything that can go on without outside help has gone on. */
async function settled(): Promise<void> {
  for (let turn = 0; turn < 20; turn++) await Promise.resolve();
}
