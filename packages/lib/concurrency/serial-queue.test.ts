import { describe, expect, test } from 'vitest';
import { createKeyedSerialQueue, createSerialQueue } from './serial-queue.ts';

describe('a serial queue', () => {
  test('runs one piece of work at a time, in the order of the calls', async () => {
    const queue = createSerialQueue();
    const heard: string[] = [];

    await Promise.all(['a', 'b', 'c'].map((name) => queue.run(twoSteps(name, heard))));

    expect(heard).toEqual(['a begins', 'a ends', 'b begins', 'b ends', 'c begins', 'c ends']);
  });

  test('gives a failure to its caller alone, and continues', async () => {
    const queue = createSerialQueue();

    const rejected = queue.run(() => Promise.reject(new Error('rejected')));
    const thrown = queue.run(() => {
      throw new Error('thrown');
    });
    const next = queue.run(async () => 'next');

    await expect(rejected).rejects.toThrow('rejected');
    await expect(thrown).rejects.toThrow('thrown');
    await expect(next).resolves.toBe('next');
  });

  test('is idle when the work until then has ended, well or not', async () => {
    const queue = createSerialQueue();
    const heard: string[] = [];
    const failed = queue.run(() => Promise.reject(new Error('no')));
    const last = queue.run(twoSteps('last', heard));

    await queue.idle();

    expect(heard).toEqual(['last begins', 'last ends']);
    await expect(failed).rejects.toThrow('no');
    await last;
  });
});

describe('a keyed serial queue', () => {
  test('runs the work of one key in order, beside that of others', async () => {
    const queue = createKeyedSerialQueue<string>();
    const gate = Promise.withResolvers<null>();
    const heard: string[] = [];

    const held = queue.run('a', () => gate.promise);
    const behind = queue.run('a', twoSteps('a', heard));
    await queue.run('b', twoSteps('b', heard));
    expect(heard).toEqual(['b begins', 'b ends']);

    gate.resolve(null);
    await Promise.all([held, behind]);
    expect(heard).toEqual(['b begins', 'b ends', 'a begins', 'a ends']);
  });

  test('continues after a failure', async () => {
    const queue = createKeyedSerialQueue<string>();

    const failed = queue.run('a', () => Promise.reject(new Error('no')));
    const next = queue.run('a', async () => 'yes');

    await expect(failed).rejects.toThrow('no');
    await expect(next).resolves.toBe('yes');
    await expect(queue.run('a', async () => 'again')).resolves.toBe('again');
  });
});

const twoSteps = (name: string, heard: string[]) => async (): Promise<void> => {
  heard.push(`${name} begins`);
  await Promise.resolve();
  heard.push(`${name} ends`);
};
