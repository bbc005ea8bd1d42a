import { onTestFinished, expect, test } from 'vitest';
import { openTestLibrary } from '../../../../test/support/library/library.ts';

const look = { color: '#204060', thumbhash: 'HBkSHYSIeHiPiHh8eJd4eTN0EEQG' };

test('a look is stored once, and again when the picture of the address looks different', async () => {
  const library = await openTestLibrary();
  onTestFinished(library.close);
  const { storage, pictureLooks } = library;
  const rows = () => storage.database.read('picture_looks').orderBy('uri').select('*');

  await Promise.all([
    pictureLooks.remember('mem://a', look),
    pictureLooks.remember('mem://b', look),
  ]);
  expect(await rows()).toEqual([
    { uri: 'mem://a', ...look },
    { uri: 'mem://b', ...look },
  ]);

  const before = storage.database.writes();
  await pictureLooks.remember('mem://a', look);
  expect(storage.database.writes()).toBe(before);

  await pictureLooks.remember('mem://a', { ...look, color: '#000000' });
  await pictureLooks.remember(`mem://${'x'.repeat(3000)}`, look);
  expect((await rows()).map(({ color }) => color)).toEqual(['#000000', '#204060']);
});
