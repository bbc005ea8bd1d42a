import { expect, test } from 'vitest';
import { createFakeClock } from '../../../test/support/fake-clock.ts';
import { createOpenFilesWatch } from './index.ts';

test('files and connections that are nearly used up are a problem until some are closed', async () => {
  const clock = createFakeClock();
  let open = 100;
  const reported: (readonly string[])[] = [];
  const look = createOpenFilesWatch({
    report: (_codes, found) => void reported.push(found.map(({ code }) => code)),
    clock,
    count: async () => {
      if (open === 256) throw new Error('EMFILE');
      return open;
    },
    limit: async () => 256,
  });

  for (const next of [100, 230, 256, 120]) {
    open = next;
    await look();
    await clock.advance(5000);
  }

  expect(reported).toEqual([[], ['open_files'], ['open_files'], []]);
});
