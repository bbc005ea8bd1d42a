import { expect, test } from 'vitest';
import { silentLog } from '../../../kernel/index.ts';
import { createFakeClock } from '../../../test/support/fake-clock.ts';
import { temporaryFolder } from '../../../test/support/storage/storage.ts';
import { AppError } from '../../platform/errors.ts';
import { createDiskCache } from '../../platform/net/index.ts';
import type { PlayedFile } from '../transcoding/index.ts';
import { createStills } from './stills.ts';

const day = 86_400_000;

test('a film without a frame is tried again after thirty days, and its frame is kept', async () => {
  const clock = createFakeClock();
  const cache = createDiskCache({
    ...{ folder: temporaryFolder(), maxBytes: 1024 ** 2, log: silentLog },
  });
  const frame = Buffer.from('a frame');
  let tries = 0;
  const still = async (): Promise<Uint8Array> => {
    tries += 1;
    if (tries > 1) return frame;
    throw new AppError('transcode_failed', { why: 'It hangs.' });
  };
  const open = createStills({ studies: { still }, cache, clock });
  const film = { contentKey: 'film' } as PlayedFile;
  const way = { mayGoOn: async () => undefined, signal: new AbortController().signal };

  await expect(open(film, 0, way)).rejects.toMatchObject({ code: 'no_picture' });
  await clock.advance(29 * day);
  await expect(open(film, 0, way)).rejects.toMatchObject({ code: 'no_picture' });
  expect(tries).toBe(1);

  await clock.advance(day);
  expect((await open(film, 0, way)).bytes).toEqual(frame);
  await clock.advance(31 * day);
  expect((await open(film, 0, way)).bytes).toEqual(frame);
  expect(tries).toBe(2);
});
