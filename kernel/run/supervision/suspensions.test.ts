import { describe, expect, test } from 'vitest';
import { createFakeClock } from '../../../test/support/fake-clock.ts';
import { createSuspensions } from './suspensions.ts';

const minuteMs = 60_000;
const hook = 'hook pipeline.x';

function open() {
  const clock = createFakeClock();
  const lines: string[] = [];
  const told: string[] = [];
  const suspensions = createSuspensions({
    clock,
    tell: (_, text) => void lines.push(text),
    onFirst: ({ handler, end }) => void told.push(`${handler} ${end}`),
    onNone: () => void told.push('none'),
  });
  const timeOut = (count: number, handler = hook): void => {
    for (let at = 0; at < count; at++) suspensions.note(handler, 'timed-out');
  };
  const isSuspended = (handler = hook): boolean => suspensions.of(handler) !== null;
  return { clock, lines, told, suspensions, timeOut, isSuspended };
}

describe('a handler that does not answer', () => {
  test('is suspended for a minute after three time-outs in a row, and no other one is', () => {
    const { suspensions, timeOut, isSuspended, lines } = open();

    timeOut(2);
    timeOut(1, 'action refresh');
    expect(isSuspended()).toBe(false);
    timeOut(1);

    expect(isSuspended('action refresh')).toBe(false);
    expect(suspensions.list()).toEqual([
      {
        handler: hook,
        until: '2026-11-21T07:45:53.000Z',
        reason: 'It gave no answer in time, three times in a row.',
      },
    ]);
    expect(suspensions.of(hook)).toEqual(suspensions.list()[0]);
    expect(lines).toEqual([
      'The handler hook pipeline.x gave no answer in time, three times in a row: it is not called for 1 min.',
    ]);
  });

  test.each(['returned', 'failed', 'other'] as const)(
    'is not suspended when one of the calls ended otherwise: %s',
    (end) => {
      const { suspensions, timeOut, isSuspended } = open();

      timeOut(2);
      suspensions.note(hook, end);
      timeOut(2);

      expect(isSuspended()).toBe(false);
    },
  );

  test('is called again then, and suspended for 5 and for 30 minutes while it goes on', async () => {
    const { clock, timeOut, isSuspended } = open();
    timeOut(3);

    for (const minutes of [1, 5, 30]) {
      await clock.advance(minutes * minuteMs - 1);
      expect(isSuspended()).toBe(true);
      await clock.advance(1);
      expect(isSuspended()).toBe(false);
      timeOut(1);
    }

    await clock.advance(30 * minuteMs - 1);
    expect(isSuspended()).toBe(true);
    await clock.advance(1);
    expect(isSuspended()).toBe(false);
  });

  test('is normal again after an answer', async () => {
    const { clock, suspensions, timeOut, isSuspended, lines } = open();
    timeOut(3);
    await clock.advance(minuteMs);

    suspensions.note(hook, 'returned');
    timeOut(2);

    expect(isSuspended()).toBe(false);
    expect(suspensions.list()).toEqual([]);
    expect(lines.at(-1)).toBe('The handler hook pipeline.x answers again.');
  });

  test('is suspended once by calls that ran at the same time', async () => {
    const { clock, suspensions, timeOut, isSuspended } = open();
    timeOut(8);
    suspensions.note(hook, 'returned');

    expect(isSuspended()).toBe(true);
    await clock.advance(minuteMs);
    expect(isSuspended()).toBe(false);
  });

  test('is dropped beyond the limit, and when all are cleared', () => {
    const { suspensions, timeOut, isSuspended } = open();
    timeOut(3);
    for (let at = 0; at < 500; at++) timeOut(1, `event plugin.a.${at}`);
    expect(isSuspended()).toBe(false);
    timeOut(3);
    expect(isSuspended()).toBe(true);

    suspensions.clear();

    expect([isSuspended(), suspensions.isEmpty()]).toEqual([false, true]);
  });
});

describe('the suspensions of a plugin', () => {
  test('are told with the first of them, and are over when the last one answers', async () => {
    const { clock, suspensions, timeOut, told } = open();
    timeOut(2);
    expect(told).toEqual([]);
    timeOut(1);
    timeOut(3, 'view b');
    await clock.advance(minuteMs);
    timeOut(1);
    suspensions.note('view b', 'returned');
    expect(told).toEqual([`${hook} timed-out`]);

    await clock.advance(5 * minuteMs);
    suspensions.note(hook, 'returned');

    expect(told).toEqual([`${hook} timed-out`, 'none']);
    timeOut(3);
    expect(told.slice(2)).toEqual([`${hook} timed-out`]);
  });

  test('are over when the last one is dropped, and when all are cleared', () => {
    const { suspensions, timeOut, told } = open();
    timeOut(3);
    for (let at = 0; at < 200; at++) timeOut(1, `event plugin.a.${at}`);
    expect(told).toEqual([`${hook} timed-out`, 'none']);

    suspensions.clear();

    expect(told.slice(2)).toEqual(['none']);
  });
});

describe('a handler that fails each time', () => {
  const fail = ({ suspensions }: ReturnType<typeof open>, count: number): void => {
    for (let at = 0; at < count; at++) suspensions.note(hook, 'failed');
  };

  test('is suspended after fifty failures in a row, and for longer while it goes on', async () => {
    const it = open();
    const { clock, suspensions, isSuspended, lines } = it;

    fail(it, 49);
    expect(isSuspended()).toBe(false);
    fail(it, 1);
    expect(suspensions.list()).toMatchObject([{ reason: 'It failed 50 times in a row.' }]);
    await clock.advance(minuteMs);
    expect(isSuspended()).toBe(false);
    fail(it, 1);

    expect(isSuspended()).toBe(true);
    expect(lines).toEqual([
      'The handler hook pipeline.x failed 50 times in a row: it is not called for 1 min.',
      'The handler hook pipeline.x failed again: it is not called for 5 min.',
    ]);
  });

  test('is called as before when one call had an answer', () => {
    const it = open();

    fail(it, 49);
    it.suspensions.note(hook, 'returned');
    fail(it, 49);

    expect(it.isSuspended()).toBe(false);
  });
});
