import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { HostLane, type Sending } from './host-lane.ts';

const now = 1_000_000;

/** A lane with this many failures in a row. */
function failed(times: number, at = now): HostLane {
  const lane = new HostLane(100);
  for (let time = 0; time < times; time += 1) {
    lane.ended(lane.started(), { kind: 'failed' }, at);
  }
  return lane;
}

describe('the requests of a plugin to a host', () => {
  test('are limited in any second, at any start times, however long connections take', () => {
    const gaps = fc.array(fc.integer({ min: 0, max: 700 }), { minLength: 1, maxLength: 200 });
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 20 }), gaps, (perSecond, waits) => {
        const lane = new HostLane(perSecond);
        const sent: number[] = [];
        let opening: Sending[] = [];
        let time = now;
        for (const [at, wait] of waits.entries()) {
          time += wait;
          // Some connections are open at once, and others after several requests more.
          if (wait % 3 > 0) {
            for (const one of opening) lane.sent(one, time);
            sent.push(...opening.map(() => time));
            opening = [];
          }
          if (lane.nextStart(time) > time) continue;
          const sending = lane.started();
          if (at % 2 > 0) {
            opening.push(sending);
            continue;
          }
          lane.sent(sending, time);
          sent.push(time);
        }
        const within = (from: number) => sent.filter((at) => at >= from && at < from + 1000);
        expect(Math.max(0, ...sent.map((from) => within(from).length))).toBeLessThanOrEqual(
          perSecond,
        );
      }),
    );
  });

  test('are limited at a rate below one over several seconds', () => {
    const lane = new HostLane(0.25);
    lane.sent(lane.started(), now);

    expect(lane.nextStart(now)).toBe(now + 4050);
  });

  test('know when the next may start after those that wait', () => {
    const lane = new HostLane(2);
    lane.sent(lane.started(), now);

    expect([0, 1, 2, 3].map((ahead) => lane.nextStart(now, ahead) - now)).toEqual([
      0, 1050, 1050, 2100,
    ]);
  });

  test('wait as long as the host asks, ten minutes at most, or two seconds when it does not say how long', () => {
    for (const [retryAfterMs, waitMs] of [
      [7000, 7000],
      [null, 2000],
      [3_600_000, 600_000],
    ] as const) {
      const lane = new HostLane(100);
      lane.ended(lane.started(), { kind: 'busy', retryAfterMs }, now);
      expect(lane.nextStart(now)).toBe(now + waitMs);
      expect(lane.closed(now)?.why).toBe('busy');
    }
  });

  test('are suspended after five failures in a row, each time for twice as long', () => {
    expect(failed(4).closed(now)).toBeNull();
    const lane = failed(5);
    expect(lane.closed(now)).toEqual({ why: 'failing', until: now + 30_000 });

    const later = now + 30_000;
    lane.ended(lane.started(), { kind: 'failed' }, later);

    expect(lane.closed(later)).toEqual({ why: 'failing', until: later + 60_000 });
  });

  test('try one request to see whether the host is back, and the others if it is', () => {
    const lane = failed(5);
    const later = now + 30_000;

    expect(lane.nextStart(later)).toBe(later);
    const trial = lane.started();
    expect(lane.nextStart(later)).toBe(Number.POSITIVE_INFINITY);
    expect(lane.ended(trial, { kind: 'answered' }, later)).toBe('reopened');
    expect(lane.nextStart(later)).toBe(later);
  });

  test('count only failures in a row, and ignore neutral results', () => {
    const lane = failed(4);
    for (const kind of ['neutral', 'answered', 'failed'] as const) {
      lane.ended(lane.started(), { kind }, now);
    }

    expect(lane.closed(now)).toBeNull();
  });
});
