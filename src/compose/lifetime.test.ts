import { describe, expect, test } from 'vitest';
import { silentLog } from '../../kernel/index.ts';
import { createLifetime, type Part } from './lifetime.ts';

/** A part that writes down when it starts and stops. */
const told = (name: string, said: string[]): Part => ({
  start: () => said.push(`start ${name}`),
  stop: () => said.push(`stop ${name}`),
});

describe('a lifetime', () => {
  test('stops in the reverse of the order in which it started', async () => {
    const said: string[] = [];
    const lifetime = createLifetime(silentLog);
    lifetime.holds(() => said.push('close storage'));
    lifetime.stage(told('kernel', said), told('files', said));
    lifetime.stage(told('http', said));

    await lifetime.start();
    await lifetime.stop(1000);

    expect(said).toEqual([
      'start kernel',
      'start files',
      'start http',
      'stop http',
      'stop files',
      'stop kernel',
      'close storage',
    ]);
  });

  test('stops the parts of a stage at the same time, and earlier stages when all have stopped', async () => {
    const said: string[] = [];
    const slow = Promise.withResolvers<undefined>();
    const lifetime = createLifetime(silentLog);
    lifetime.holds(() => said.push('close storage'));
    lifetime.stage(told('http', said), {
      stop: async () => {
        said.push('stop jobs');
        await slow.promise;
        said.push('jobs stopped');
      },
    });

    const stopped = lifetime.stop(1000);
    said.push('asked');
    slow.resolve(undefined);
    await stopped;

    expect(said).toEqual(['stop jobs', 'stop http', 'asked', 'jobs stopped', 'close storage']);
  });

  test('starts nothing after a part that fails to start, and stops everything anyway', async () => {
    const said: string[] = [];
    const lifetime = createLifetime(silentLog);
    lifetime.stage(told('kernel', said));
    lifetime.stage({ start: () => Promise.reject(new Error('The port is taken.')) });
    lifetime.stage(told('http', said));

    await expect(lifetime.start()).rejects.toThrow('The port is taken.');
    await lifetime.stop(1000);

    expect(said).toEqual(['start kernel', 'stop http', 'stop kernel']);
  });

  test('logs a part that fails to stop, and stops the rest', async () => {
    const said: string[] = [];
    const lifetime = createLifetime({
      ...silentLog,
      error: (_fields, message) => void said.push(message),
    });
    lifetime.holds(() => said.push('close storage'));
    lifetime.stage({
      stop: () => {
        throw new Error('The database failed.');
      },
    });

    await lifetime.stop(1000);

    expect(said).toEqual(['A part of the server failed to stop.', 'close storage']);
  });

  test('stops waiting for a part that takes too long to stop', async () => {
    const lifetime = createLifetime(silentLog);
    lifetime.stage({ stop: () => new Promise(() => undefined) });

    await expect(lifetime.stop(1)).resolves.toBeUndefined();
  });
});
