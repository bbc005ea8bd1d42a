import { describe, expect, test } from 'vitest';
import { createHidden } from './hidden.ts';

const libraries = [
  { id: 'films', name: 'Films', roots: ['file:///media/films'] },
  { id: 'secret', name: 'Therapy', roots: ['file:///media/Best%20kept'] },
];
const places = (hiddenIds: readonly string[]) => ({
  libraries: () => libraries,
  isHidden: (id: string) => hiddenIds.includes(id),
  ofItems: async (ids: readonly string[]) =>
    new Map(
      ids.flatMap((id) =>
        id === 'heat' || id === 'talk'
          ? [[id, { libraryId: id === 'heat' ? 'films' : 'secret', uris: [] }] as const]
          : [],
      ),
    ),
});
const hidden = createHidden(places(['secret', 'removed']));

describe('the data of an event', () => {
  test.each<readonly [object, boolean]>([
    [{ libraryId: 'films', itemId: 'talk', title: 'Therapy' }, false],
    [{ libraryId: 'secret', title: 'Heat' }, true],
    [{ libraryId: 'removed' }, true],
    [{ detail: { libraryId: 'secret' } }, true],
    [{ itemId: 'heat', profileId: 'p' }, false],
    [{ itemId: 'talk', profileId: 'p' }, true],
    [{ itemId: 'unknown' }, true],
    [{ jobId: 'j', libraryId: null, type: 'scan' }, false],
    [{ title: 'The job scan of Therapy failed.', message: '' }, true],
    [{ title: 'A file', message: '/media/Best kept/a.mp3 could not be read.' }, true],
    [{ note: { deep: ['file:///media/Best%20kept/a.mp3'] } }, true],
    [{ about: ['talk'] }, true],
    [{ about: ['heat'], title: 'Films' }, false],
    [{}, false],
  ])('%j tells of a hidden library: %j', async (data, isHidden) => {
    expect(await hidden.isIn(data)).toBe(isHidden);
  });
});

describe('what a plugin is shown', () => {
  test('is all but hidden libraries, and a hidden one that its grant names', () => {
    expect(hidden.shownOf('all')).toEqual([{ id: 'films' }]);
    expect(hidden.shownOf([{ id: 'secret' }])).toEqual([{ id: 'secret' }]);
  });

  test('is everything while nothing is hidden', () => {
    const open = createHidden(places([]));

    expect([open.any(), open.shownOf('all')]).toEqual([false, 'all']);
  });
});
