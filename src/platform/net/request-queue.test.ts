import { describe, expect, test } from 'vitest';
import { silentLog } from '../../../kernel/index.ts';
import { createFakeClock } from '../../../test/support/fake-clock.ts';
import { queueLimits, RequestQueue, type Turn, type TurnRequest } from './request-queue.ts';

const forever = new AbortController().signal;

function queueWithClock() {
  const clock = createFakeClock();
  const queue = new RequestQueue({ clock, log: silentLog });
  const ends: Turn['end'][] = [];
  const refused: unknown[] = [];
  /** Requests a turn, and records the result. */
  function want(asked: Partial<TurnRequest> = {}): void {
    const request = { pluginId: 'films', host: 'a:443', perSecond: 100, signal: forever };
    queue.turn({ ...request, deadline: clock.now() + 15_000, ...asked }).then(
      ({ sent, end }) => {
        sent();
        ends.push(end);
      },
      (error: unknown) => refused.push(error),
    );
  }
  return { clock, ends, refused, want };
}

describe('the queue of requests', () => {
  test('allows eight requests per plugin and thirty-two in total at a time', async () => {
    const { clock, ends, want } = queueWithClock();
    for (const pluginId of ['a', 'b', 'c', 'd', 'e']) {
      for (let one = 0; one < 10; one += 1) want({ pluginId });
    }

    await clock.advance(0);
    expect(ends).toHaveLength(queueLimits.inAll);

    for (const end of ends.slice()) end({ kind: 'answered' });
    await clock.advance(0);
    expect(ends).toHaveLength(48);
    expect(queueLimits).toMatchObject({ perPlugin: 8, inAll: 32 });
  });

  test('allows a plugin with lanes one request per lane, outside the other limits', async () => {
    const { clock, ends, want } = queueWithClock();
    for (const pluginId of ['a', 'b', 'c', 'd', 'e'])
      for (let one = 0; one < 10; one += 1) want({ pluginId });

    for (let laneNo = 0; laneNo < 50; laneNo += 1) want({ pluginId: 'hooks', laneNo, lanes: 50 });
    want({ pluginId: 'hooks', laneNo: 0, lanes: 50 });

    await clock.advance(0);
    expect(ends).toHaveLength(queueLimits.inAll + 50);
  });

  test('does not delay one lane for another, for any delay of the host', async () => {
    const { clock, ends, refused, want } = queueWithClock();
    const lane = { pluginId: 'hooks', lanes: 2, deadline: clock.now() + 1000 };
    want({ ...lane, laneNo: 0 });
    await clock.advance(0);
    ends[0]?.({ kind: 'busy', retryAfterMs: 60_000 });

    want({ ...lane, laneNo: 0 });
    want({ ...lane, laneNo: 1 });
    await clock.advance(0);

    expect(refused).toMatchObject([{ code: 'quota_exceeded' }]);
    expect(ends).toHaveLength(2);
  });

  test('keeps the rate of each host, and does not delay requests to others', async () => {
    const { clock, ends, want } = queueWithClock();
    for (let one = 0; one < 4; one += 1) want({ host: 'slow:443', perSecond: 1 });
    want({ host: 'quick:443' });

    await clock.advance(0);
    expect(ends).toHaveLength(2);
    await clock.advance(2100);
    expect(ends).toHaveLength(4);
    await clock.advance(1050);
    expect(ends).toHaveLength(5);
    expect(clock.timers()).toBe(0);
  });

  test('refuses at once a request whose turn would come after its deadline, and says when it could start', async () => {
    const { clock, refused, want } = queueWithClock();
    for (let one = 0; one < 4; one += 1) {
      want({ perSecond: 0.5, deadline: clock.now() + 5000 });
    }

    await clock.advance(0);

    expect(refused).toEqual([
      expect.objectContaining({
        code: 'quota_exceeded',
        message: 'Too many requests to a:443; the next is possible in 6150 ms.',
      }),
    ]);
  });

  test('lets requests wait if they can while a host asks for time, and refuses the others', async () => {
    const { clock, ends, refused, want } = queueWithClock();
    want();
    await clock.advance(0);
    ends[0]?.({ kind: 'busy', retryAfterMs: 10_000 });

    want();
    want({ deadline: clock.now() + 9000 });
    await clock.advance(9999);
    expect(ends).toHaveLength(1);
    await clock.advance(1);

    expect(ends).toHaveLength(2);
    expect(refused).toEqual([
      expect.objectContaining({
        code: 'quota_exceeded',
        message: expect.stringContaining('asked to wait'),
      }),
    ]);
  });

  test('refuses all requests to a failing host, also waiting ones', async () => {
    const { clock, ends, refused, want } = queueWithClock();
    for (let one = 0; one < 10; one += 1) want();
    await clock.advance(0);

    for (const end of ends.slice(0, 5)) end({ kind: 'failed' });
    want();
    await clock.advance(0);

    expect(refused.length).toBeGreaterThan(0);
    for (const error of refused) expect(error).toMatchObject({ code: 'net_unreachable' });
  });

  test('drops aborted requests, and starts none in vain', async () => {
    const { clock, ends, refused, want } = queueWithClock();
    const gone = new AbortController();
    want({ perSecond: 1 });
    want({ perSecond: 1, signal: gone.signal });
    await clock.advance(0);

    gone.abort(new Error('gone'));
    await clock.advance(0);

    expect(refused).toEqual([new Error('gone')]);
    expect(clock.timers()).toBe(0);
    want({ perSecond: 1 });
    await clock.advance(1050);
    expect(ends).toHaveLength(2);
  });

  test('counts the requests of each plugin separately', async () => {
    const { clock, ends, want } = queueWithClock();
    want({ perSecond: 1 });
    want({ perSecond: 1, pluginId: 'albums' });

    await clock.advance(0);

    expect(ends).toHaveLength(2);
  });
});
