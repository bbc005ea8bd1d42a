import { describe, expect, test } from 'vitest';
import { createFakeClock } from '../../../test/support/fake-clock.ts';
import type { Failure } from '../../call/failure.ts';
import { createFailureLog, type OftenFailing } from './failure-log.ts';
import { createPluginLog } from './plugin-log.ts';

const failure = (given: Partial<Failure> = {}): Failure => ({
  kind: 'threw',
  handler: 'hook pipeline.x',
  message: 'No luck.',
  durationMs: 12.34,
  ...given,
});

function openLog() {
  const clock = createFakeClock();
  const log = createPluginLog(clock);
  const told: OftenFailing[] = [];
  const failures = createFailureLog({ clock, log, onOften: (often) => void told.push(often) });
  return { clock, log, told, failures, texts: () => log.lines().map(({ text }) => text) };
}

describe('the failures of a plugin', () => {
  test('are lines of its log, with what failed, how long it took and where', async () => {
    const { log, failures, clock } = openLog();

    failures.note(failure(), async () => ['year (index.js:12:5)', 'index.js:3:1']);
    await clock.advance(0);

    expect(log.lines()).toEqual([
      {
        time: '2026-11-21T07:44:53.000Z',
        level: 'error',
        text: 'hook pipeline.x threw after 12.3 ms: No luck. at year (index.js:12:5) at index.js:3:1',
        failure: {
          kind: 'threw',
          handler: 'hook pipeline.x',
          message: 'No luck.',
          durationMs: 12.3,
          stack: ['year (index.js:12:5)', 'index.js:3:1'],
        },
      },
    ]);
  });

  test('are a line also without a known place', async () => {
    const { failures, texts, clock } = openLog();

    failures.note(failure(), () => Promise.reject(new Error('no map')));
    failures.note(failure({ kind: 'timed-out', durationMs: null }));
    await clock.advance(0);

    expect(texts().toSorted()).toEqual([
      'hook pipeline.x threw after 12.3 ms: No luck.',
      'hook pipeline.x timed out: No luck.',
    ]);
  });

  test('of one kind and handler are five lines in a minute, and one that counts the rest', async () => {
    const { failures, texts, clock } = openLog();

    for (let count = 0; count < 817; count++) failures.note(failure());
    failures.note(failure({ handler: 'action refresh' }));
    expect(texts()).toHaveLength(6);
    await clock.advance(60_000);
    failures.note(failure());

    expect(texts().slice(6)).toEqual([
      'And 812 more like it: hook pipeline.x (threw).',
      'hook pipeline.x threw after 12.3 ms: No luck.',
    ]);
    expect(failures.counts().total).toBe(819);
  });

  test('of a handler that is missing are one line in a day', async () => {
    const { failures, texts, clock } = openLog();

    for (let hour = 0; hour < 23; hour++) {
      failures.note(failure({ kind: 'unknown-handler' }));
      await clock.advance(3_600_000);
    }

    expect(texts()).toHaveLength(1);
    expect(failures.counts().kinds).toEqual({ 'unknown-handler': 23 });
  });

  test('are counted by kind and by handler, the latest first', async () => {
    const { failures, clock } = openLog();

    failures.note(failure());
    failures.note(failure({ handler: 'action refresh' }));
    await clock.advance(1000);
    failures.note(failure({ kind: 'timed-out', message: 'Too slow.' }));
    failures.count(failure({ kind: 'crashed', handler: 'plugin', message: 'Gone.' }));

    expect(failures.counts()).toEqual({
      total: 4,
      kinds: { threw: 2, 'timed-out': 1, crashed: 1 },
      handlers: [
        {
          handler: 'plugin',
          count: 1,
          kind: 'crashed',
          message: 'Gone.',
          lastAt: '2026-11-21T07:44:54.000Z',
        },
        {
          handler: 'hook pipeline.x',
          count: 2,
          kind: 'timed-out',
          message: 'Too slow.',
          lastAt: '2026-11-21T07:44:54.000Z',
        },
        {
          handler: 'action refresh',
          count: 1,
          kind: 'threw',
          message: 'No luck.',
          lastAt: '2026-11-21T07:44:53.000Z',
        },
      ],
    });
  });

  test('stay few, however many names the events of plugins have', () => {
    const { failures } = openLog();

    for (let at = 0; at < 5000; at++) failures.note(failure({ handler: `event plugin.a.${at}` }));

    const { total, handlers } = failures.counts();
    expect(total).toBe(5000);
    expect(handlers.length).toBeLessThanOrEqual(201);
    expect(handlers[0]).toMatchObject({ handler: '…', count: 4800 });
  });

  test('are reported at the fifth in ten minutes, and again only after a calm period', async () => {
    const { failures, told, clock } = openLog();
    const fail = (count: number): void => {
      for (let at = 0; at < count; at++) failures.note(failure());
    };

    fail(4);
    await clock.advance(11 * 60_000);
    fail(4);
    expect(told).toEqual([]);
    fail(100);
    expect(told).toEqual([{ count: 5, minutes: 10, last: expect.objectContaining(failure()) }]);
    await clock.advance(11 * 60_000);
    fail(5);

    expect(told).toHaveLength(2);
  });

  test('of an observer are reported only in its log', () => {
    const { failures, told, texts } = openLog();

    for (let at = 0; at < 9; at++) failures.note(failure({ kind: 'delta-not-granted' }));

    expect(told).toEqual([]);
    expect(texts()).toHaveLength(5);
  });
});
