import { expect, test } from 'vitest';
import { createFakeClock } from '../../../test/support/fake-clock.ts';
import { createStillsSoon } from './stills-soon.ts';

test('stills start a minute after the last new item, when no job waits or runs, and once', async () => {
  const clock = createFakeClock();
  let active = [{ type: 'probe' }];
  let started = 0;
  const added = new Set<() => void>();
  const soon = createStillsSoon({
    jobs: { list: async () => ({ jobs: active }) },
    startStills: async () => void (started += 1),
    ...{ clock, onError: (error) => expect.fail(String(error)) },
  });
  soon.start({
    listen: (name, listener) => {
      expect(name).toBe('library.item.added');
      added.add(listener);
      return () => void added.delete(listener);
    },
  });
  const add = (): void => added.forEach((listener) => listener());
  const after = async (ms: number): Promise<number> => {
    await clock.advance(ms);
    return started;
  };

  expect(await after(600_000)).toBe(0);
  add();
  expect(await after(59_000)).toBe(0);
  add();
  expect(await after(60_000)).toBe(0);
  active = [];
  expect(await after(60_000)).toBe(1);
  expect(await after(600_000)).toBe(1);

  add();
  soon.stop();
  add();
  expect(await after(60_000)).toBe(1);
  expect(clock.timers()).toBe(0);
});
