import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { testByNight } from '../../../test/support/run/test-by-night.ts';
import { cagedTranscoder, cageNeeded } from '../../../test/support/media/caged.ts';
import { softwareEncoder } from './picture-encoders.ts';
import type { Transcoder } from './transcoder.ts';
import { correctedWork, createLearntHeight, heightFor, workAt } from './learnt-height.ts';

async function fileOfSpeed(): Promise<string> {
  const folder = await mkdtemp(path.join(tmpdir(), 'vitrine-speed-test-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  return path.join(folder, 'cache/speed.json');
}

test.each([
  // Seconds of work for a second of film, at 1080 and 480 lines.
  [{ high: 0.1, low: 0.05 }, null],
  [{ high: 0.25, low: 0.1 }, 1440],
  [{ high: 0.5, low: 0.2 }, 1080],
  [{ high: 1, low: 0.4 }, 720],
  [{ high: 2, low: 0.8 }, 480],
  [{ high: 9, low: 8 }, 240],
])('a machine that needs %j converts pictures of %j lines in time', (work, height) => {
  expect(heightFor(work)).toBe(height);
});

test('work grows with the pixels, from what was measured', () => {
  const work = { high: 1, low: 0.4 };

  expect([workAt(work, 1080), workAt(work, 480)].map((one) => one.toFixed(3))).toEqual([
    '1.000',
    '0.400',
  ]);
  expect(workAt(work, 2160)).toBe(4);
});

test.each([
  ['that was as fast as expected changes nothing', { rate: 2.5 }, { high: 1, low: 0.4 }],
  ['that was four times as fast is believed', { rate: 10 }, { high: 0.25, low: 0.1 }],
  ['that was four times as slow is half believed', { rate: 0.625 }, { high: 2, low: 0.8 }],
  [
    'that was slow beside another one says nothing',
    { rate: 0.1, isPlain: false },
    { high: 1, low: 0.4 },
  ],
  ['of a lie changes it by eight at most', { rate: 1e9 }, { high: 0.125, low: 0.05 }],
  ['of a small source counts what reading it costs', { sourceHeight: 540, rate: 8 }, null],
])('a conversion %s', (_, done, expected) => {
  const work = { high: 1, low: 0.4 };
  const usual = { sourceHeight: 1080, height: 480, rate: 1, isPlain: true };

  const { high, low } = correctedWork(work, { ...usual, ...done });

  // Reading the film is 0.252 of the work at 480 lines, and a quarter of that for a quarter of its pixels.
  const exact = expected ?? { high: 0.125 / 0.2108, low: 0.05 / 0.2108 };
  expect([high, low].map((one) => one.toFixed(2))).toEqual(
    [exact.high, exact.low].map((one) => one.toFixed(2)),
  );
});

test('a figure that is low is measured again after an hour, and a conversion corrects it before', async () => {
  const file = await fileOfSpeed();
  await mkdir(path.dirname(file), { recursive: true });
  const key = '1 6 software 2 this';
  await writeFile(file, JSON.stringify({ key, at: 0, high: 1.25, low: 1.25 }));
  let [now, asked] = [0, 0];
  const learnt = createLearntHeight({
    transcoder: async () => {
      asked += 1;
      return { kind: 'ready', version: '6', encoder: softwareEncoder } as Transcoder;
    },
    ...{ threads: 2, now: () => now, isFree: () => false },
    speed: { kind: 'learnt', file, machine: 'this' },
  });
  const heights: (number | null)[] = [];
  for (now of [0, 3_500_000, 3_700_000]) {
    await learnt.learn();
    heights.push(learnt.known());
  }
  // It waits for a time at which nobody needs the machine, and knows what it knew.
  expect([heights, asked]).toEqual([[240, 240, 240], 2]);

  learnt.done({ sourceHeight: 1080, height: 240, rate: 6, isPlain: true });
  await learnt.learn();

  expect([learnt.known(), asked]).toEqual([null, 2]);
  await vi.waitFor(async () =>
    expect(JSON.parse(await readFile(file, 'utf8'))).toMatchObject({ key, at: now }),
  );
});

testByNight.skipIf(cagedTranscoder.kind === 'missing')(
  `the machine is measured once, and what was learnt is kept for it ${cageNeeded}`,
  async () => {
    const file = await fileOfSpeed();
    let asked = 0;
    const learner = (machine: string, isFree = true) =>
      createLearntHeight({
        transcoder: async () => {
          asked += 1;
          return cagedTranscoder;
        },
        ...{ threads: 2, now: () => 1000, isFree: () => isFree },
        speed: { kind: 'learnt', file, machine },
      });
    const busy = learner('this', false);
    await busy.learn();
    await expect(readFile(file)).rejects.toThrow('ENOENT');

    const first = learner('this');
    await Promise.all([first.learn(), first.learn()]);
    const kept = JSON.parse(await readFile(file, 'utf8')) as Record<string, number>;
    expect(kept).toMatchObject({ at: 1000, high: expect.any(Number), low: expect.any(Number) });
    expect(asked).toBe(2);

    // What is kept holds, also while people need the machine, and for this machine alone.
    await writeFile(file, JSON.stringify({ ...kept, high: 1, low: 0.4 }));
    const [again, other] = [learner('this', false), learner('other', false)];
    await Promise.all([again.learn(), other.learn()]);
    expect([again.known(), other.known()]).toEqual([720, null]);
  },
);

test.each([
  ['any height', { kind: 'any' }, null],
  ['the height that the admin chose', { kind: 'fixed', height: 480 }, 480],
] as const)('%s is not measured', async (_, speed, height) => {
  const learnt = createLearntHeight({
    transcoder: () => Promise.reject(new Error('It is not asked.')),
    ...{ threads: 1, isFree: () => true, now: () => 0, speed },
  });
  await learnt.learn();

  expect(learnt.known()).toBe(height);
});
