import { afterAll, beforeAll, expect, test } from 'vitest';
import { openPlugin, type PluginUnderTest } from 'vitrine/plugin-test';

const day = 86_400_000;
const film = (title: string, year: number, rating: number) => ({
  title,
  metadata: { year, rating },
});

let plugin: PluginUnderTest;

/** Opening one takes most of the time of a test, so all of them share it. */
beforeAll(async () => {
  plugin = await openPlugin(import.meta.dirname, {
    clock: Date.UTC(2026, 0, 2),
    library: {
      ...{ movies: 0, episodes: 0, tracks: 0, books: 0, photos: 0 },
      items: [film('Heat', 1995, 8.3), film('Fargo', 1996, 8.1), film('Up', 2009, 8.3)],
    },
  });
});

afterAll(() => plugin.close());

const rules = (lines: readonly string[], profile: string) =>
  plugin.configureProfile({ rules: lines }, profile);
const idOf = (title: string): string =>
  plugin.library.items().find((item) => item.title === title)?.id ?? '';
const listsOf = (profile: string) =>
  plugin.viewing
    .lists(profile)
    .map(({ name, itemIds }) => [name, itemIds.map((id) => plugin.library.item(id).title)]);

test('makes the playlists of the person who presses the button, and keeps them', async () => {
  const viewer = { role: 'user', profile: 'ada' } as const;
  await rules(
    ['Nineties: year=1990..1999 sort=rating-desc', 'New: watched=unwatched year=2000..'],
    'ada',
  );
  await plugin.action('makeMine', {}, { viewer });
  expect(listsOf('ada')).toEqual([
    ['Nineties', ['Heat', 'Fargo']],
    ['New', ['Up']],
  ]);

  plugin.viewing.mark(idOf('Up'), { completed: true }, 'ada');
  await rules(['New: watched=unwatched year=2000..', 'Bad: colour=red', ' : year=2000'], 'ada');
  const answer = await plugin.action('makeMine', {}, { viewer });

  expect(listsOf('ada')).toEqual([['New', []]]);
  expect(answer).toEqual({
    go: '/lists',
    message: expect.stringMatching(/colour is not known.*has no name/s),
  });
});

test('makes them at night for those who agreed, and for nobody else', async () => {
  await rules(['All: limit=2'], 'ben');
  await rules(['All: limit=2'], 'eve');
  await plugin.agree({ profile: 'ben' });
  const [library] = plugin.library.libraries();
  await plugin.event('library.scan.completed', {
    ...{ libraryId: library?.id ?? '', status: 'completed', added: 1, changed: 0, removed: 0 },
  } as never);
  await plugin.clock.advance(2 * 60_000);
  expect([listsOf('ben').length, listsOf('eve').length]).toEqual([1, 0]);

  await plugin.agree({ profile: 'ben' }, false);
  await rules([], 'ben');
  await plugin.clock.advance(day);

  expect(listsOf('ben')).toEqual([['All', ['Fargo', 'Heat']]]);
});
