import { expect, test } from 'vitest';
import { createFakeClock } from '../../../test/support/fake-clock.ts';
import { createUsageChart, type UsageTotals } from './usage-chart.ts';

const totals: UsageTotals = {
  calls: 0,
  hostCalls: 0,
  refused: 0,
  cpuMs: 0,
  pausedMs: 0,
  bytesIn: 0,
  bytesOut: 0,
  eventsDropped: 0,
  restarts: 0,
};
const low = { memoryBytes: 10, queued: 1 };

test('adds new usage to the current minute, and keeps its peaks', async () => {
  const clock = createFakeClock();
  const chart = createUsageChart(clock);
  chart.sample({ ...totals, calls: 3, cpuMs: 10 }, { memoryBytes: 50, queued: 7 });
  chart.sample({ ...totals, calls: 5, cpuMs: 15 }, low);
  await clock.advance(60_000);
  chart.sample({ ...totals, calls: 6, cpuMs: 15, restarts: 1 }, low);

  const points = chart.points();

  expect(points).toHaveLength(60);
  expect(points.slice(-2)).toEqual([
    {
      ...totals,
      at: '2026-11-21T07:44:00.000Z',
      calls: 5,
      cpuMs: 15,
      memoryPeakBytes: 50,
      queuePeak: 7,
    },
    {
      ...totals,
      at: '2026-11-21T07:45:00.000Z',
      calls: 1,
      restarts: 1,
      memoryPeakBytes: 10,
      queuePeak: 1,
    },
  ]);
});

test('forgets what is older than an hour, and shows minutes without use as nothing', async () => {
  const clock = createFakeClock();
  const chart = createUsageChart(clock);
  chart.sample({ ...totals, calls: 3 }, low);
  await clock.advance(30 * 60_000);

  expect(chart.points().at(29)).toMatchObject({ calls: 3 });
  expect(chart.points().filter(({ calls }) => calls > 0)).toHaveLength(1);
  await clock.advance(30 * 60_000);
  expect(chart.points().filter(({ calls }) => calls > 0)).toHaveLength(0);
});

test('continues when the counters are reset, as with another version', () => {
  const chart = createUsageChart(createFakeClock());
  chart.sample({ ...totals, calls: 30 }, low);
  chart.sample({ ...totals, calls: 2 }, low);

  expect(chart.points().at(-1)).toMatchObject({ calls: 32 });
});
