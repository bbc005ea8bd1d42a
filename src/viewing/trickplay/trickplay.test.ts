import { describe, expect, test } from 'vitest';
import { silentLog } from '../../../kernel/index.ts';
import { temporaryFolder } from '../../../test/support/storage/storage.ts';
import { createFakeClock } from '../../../test/support/fake-clock.ts';
import { systemClock } from '../../platform/clock.ts';
import { createDiskCache } from '../../platform/net/index.ts';
import { createTrickplayStore, sheetWorkOf, trickplayCues } from './index.ts';

const day = 86_400_000;

describe('the times of little pictures', () => {
  test('follow each other to the end of the film, from sheet to sheet', () => {
    const shape = sheetWorkOf({ width: 1920, height: 800 }, 1003.5);

    const cues = trickplayCues(shape, 1003.5).split('\n\n');

    expect(shape).toMatchObject({ width: 320, height: 134, count: 101 });
    expect(cues).toHaveLength(102);
    expect(cues[11]).toBe('00:01:40.000 --> 00:01:50.000\n0.jpg#xywh=0,134,320,134');
    expect(cues[101]?.trim()).toBe('00:16:40.000 --> 00:16:43.500\n1.jpg#xywh=0,0,320,134');
  });

  test('are one for a film shorter than ten seconds', () => {
    expect(sheetWorkOf({}, 0).count).toBe(1);
    expect(sheetWorkOf({ width: 10, height: 100_000 }, 5).height).toBe(1000);
  });
});

test('pictures are kept for the content of a film, also those that cannot be made', async () => {
  const folder = temporaryFolder();
  const maxBytes = 100 * 1024 ** 2;
  const cache = createDiskCache({ folder, maxBytes, log: silentLog });
  const store = createTrickplayStore({ cache, maxBytes, clock: systemClock });
  const shape = sheetWorkOf({ width: 16, height: 9 }, 1500);
  await store.keep('film', { ...shape, sheets: [Buffer.from('one'), Buffer.from('two')] });
  await store.fail('broken');

  expect(await store.find('film')).toEqual({ kind: 'made', shape });
  expect(String(await store.sheet('film', 1))).toBe('two');
  expect([await store.sheet('film', 2), await store.sheet('film', Number.NaN)]).toEqual([
    null,
    null,
  ]);
  expect([await store.find('broken'), await store.find('other')]).toEqual([
    { kind: 'failed' },
    null,
  ]);
  expect(await store.hasRoom()).toBe(true);
});

test('a film without pictures is tried again after thirty days', async () => {
  const clock = createFakeClock();
  const maxBytes = 100 * 1024 ** 2;
  const cache = createDiskCache({ folder: temporaryFolder(), maxBytes, log: silentLog });
  const store = createTrickplayStore({ cache, maxBytes, clock });
  const shape = sheetWorkOf({ width: 16, height: 9 }, 1500);
  await store.keep('film', { ...shape, sheets: [Buffer.from('one'), Buffer.from('two')] });
  await store.fail('broken');

  await clock.advance(29 * day);
  expect(await store.find('broken')).toEqual({ kind: 'failed' });

  await clock.advance(day);
  expect(await store.find('broken')).toBeNull();
  expect(await store.find('film')).toEqual({ kind: 'made', shape });
});
