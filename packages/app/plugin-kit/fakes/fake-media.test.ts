import { expect, test } from 'vitest';
import type { MediaQuery } from '../../../../plugin-api/index.ts';
import { callService } from '../../../../test/support/plugins/call-service.ts';
import { serverViewer, visibilityOfLibraries } from '../../../../src/people/viewer/index.ts';
import { createFakeLibrary } from './fake-library.ts';
import { createFakeMedia } from './fake-media.ts';
import { ViewingState } from './fake-viewing.ts';

const library = createFakeLibrary({
  ...{ movies: 0, episodes: 0, tracks: 0, books: 1, photos: 0 },
  items: [
    { title: 'Arrival', metadata: { year: 2016, rating: 8, resolution: '2160p' } },
    { title: 'Brazil', metadata: { year: 1985, rating: 7.9 } },
    {
      title: 'Casablanca',
      metadata: { year: 1942 },
      entities: [{ type: 'genre', name: 'Drama', role: 'genre' }],
    },
  ],
});
const state = new ViewingState();
const films = library.libraries().find(({ type }) => type === 'movies')?.id ?? '';

function media(visibility = visibilityOfLibraries([films])) {
  const scope = { viewer: { ...serverViewer, visibility }, isPerson: true };
  const mediaScopeFor = () => ({ ...scope, within: null, inParts: new Set<string>() });
  return callService(createFakeMedia(library, { mediaScopeFor }, state), { library: 'read' });
}

const titles = async (query: MediaQuery) => {
  const page = await media()('list', query);
  return (page as { items: readonly { title: string }[] }).items.map(({ title }) => title);
};

test.each<readonly [MediaQuery, readonly string[]]>([
  [{}, ['Arrival', 'Brazil', 'Casablanca']],
  [{ sortBy: 'year', sortOrder: 'desc', limit: 2 }, ['Arrival', 'Brazil']],
  [{ year: '1980..' }, ['Arrival', 'Brazil']],
  [{ rating: '8' }, ['Arrival']],
  [{ genre: 'drama' }, ['Casablanca']],
  [{ resolution: '4k', hdr: true }, ['Arrival']],
  [{ letter: 'b' }, ['Brazil', 'Casablanca']],
  [{ watched: 'watched' }, []],
  [{ favourite: false, type: 'movies', language: 'en' }, ['Arrival', 'Brazil', 'Casablanca']],
])('lists with %j', async (query, wanted) => {
  expect(await titles(query)).toEqual(wanted);
});

test('pages, counts, finds and gives items in the shapes of the server', async () => {
  const call = media();
  const first = (await call('list', { limit: 2, includeTotal: true })) as { nextCursor: string };
  const [arrival] = library.items().filter(({ title }) => title === 'Arrival');

  expect(first).toMatchObject({ total: 3 });
  expect(await call('list', { cursor: first.nextCursor, fields: 'tile' })).toEqual({
    items: [expect.objectContaining({ title: 'Casablanca', type: 'film', picture: null })],
    nextCursor: null,
  });
  expect(await call('counts', { year: '..1990' })).toMatchObject({ total: 2 });
  expect(await call('search', { q: 'arr' })).toMatchObject({ itemsTotal: 1 });
  expect(await call('get', { itemId: arrival?.id })).toMatchObject({
    title: 'Arrival',
    files: [{ mediaKind: 'video', uri: expect.stringMatching(/^\/api\/files\//) as string }],
  });
  await expect(
    media(visibilityOfLibraries([]))('get', { itemId: arrival?.id }),
  ).rejects.toMatchObject({ code: 'not_found' });
  await expect(call('list', { year: 'x' })).rejects.toMatchObject({ code: 'invalid_argument' });
});
