import { expect, test } from 'vitest';
import { createFakeClock } from '../../../test/support/fake-clock.ts';
import { createDiskGauge } from './disk-gauge.ts';

function open(textBytes: number) {
  const kept = { textBytes, measured: 0 };
  const gauge = createDiskGauge(
    {
      kvBytes: async () => 7,
      textIndexBytes: async () => {
        kept.measured += 1;
        return kept.textBytes;
      },
      packageBytes: async () => 11,
    },
    createFakeClock(),
  );
  return { gauge, kept };
}

test('a text index refuses too much text, after another measurement', async () => {
  const { gauge, kept } = open(900);
  await gauge.admitText(50, 1000);
  await expect(gauge.admitText(200, 1000)).rejects.toMatchObject({ code: 'quota_exceeded' });

  kept.textBytes = 100;

  await gauge.admitText(200, 1000);
});

test('a text index is not measured for each document', async () => {
  const { gauge, kept } = open(0);
  for (let index = 0; index < 100; index += 1) await gauge.admitText(5, 1000);

  expect(kept.measured).toBe(1);
  expect(await gauge.use()).toEqual({ kvBytes: 7, textIndexBytes: 500, packageBytes: 11 });
});

test('a text index without a limit is not measured at all', async () => {
  const { gauge, kept } = open(0);
  await gauge.admitText(1e12, null);

  expect(kept.measured).toBe(0);
});
