import { expect, test } from 'vitest';
import { gaugeOf, meanOf, rateOf, readingOf } from './exposition.ts';

const text = (requests: number, seconds: number) => `# HELP requests_total Requests
requests_total{method="GET",route="/a b"} ${requests}
requests_total{method="PUT",route="/"} 10 1700000000000
took_seconds_bucket{le="+Inf"} 4
took_seconds_sum ${seconds}
took_seconds_count ${requests}
memory_bytes 1.5e+06
broken{ NaN
`;
const sample = (at: number, ...given: Parameters<typeof text>) => ({
  at,
  reading: readingOf(text(...given)),
});

test('the series of a name are summed, and charts are made of readings', () => {
  const samples = [sample(0, 20, 1), sample(5000, 30, 3), sample(10_000, 0, 0)];

  expect(gaugeOf('memory_bytes')(samples)).toEqual([1_500_000, 1_500_000, 1_500_000]);
  expect(rateOf('requests_total')(samples)).toEqual([2, 0]);
  expect(meanOf('took_seconds')(samples)).toEqual([0.2, 0]);
  expect(rateOf('not_there_total')(samples)).toEqual([0, 0]);
});
