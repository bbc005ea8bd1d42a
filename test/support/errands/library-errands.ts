import type { MediaTree } from '../media/media-tree.ts';
import type { Errand, ErrandWorld, Thing } from './errand.ts';

interface Items {
  readonly items: readonly (Thing & { readonly files: readonly Thing[] })[];
  readonly nextCursor: string | null;
}

interface Entities {
  readonly entities: readonly Thing[];
}

const sorts = ['title', 'addedAt', 'year'] as const;

async function madeLibrary(
  { ask, no, settle }: ErrandWorld,
  { path }: MediaTree,
  type: string,
): Promise<string> {
  const { libraries } = await ask<{ libraries: readonly (Thing & { name: string })[] }>(
    'GET',
    '/api/libraries?includeHidden=true',
  );
  const of = `of ${type}`;
  for (const { id, name } of libraries)
    if (name.endsWith(of)) await ask('DELETE', `/api/libraries/${id}`, { may: [404] });
  await settle();
  const { library } = await ask<{ library: Thing }>('POST', '/api/libraries', {
    body: { name: `Shelf ${no} ${of}`, type, roots: [`file://${path}`] },
  });
  return library.id;
}

/** Items and what is known of them, playback, entities, collections; libraries that come, change and go. */
export const libraryErrands = (libraryId: string, shelf: MediaTree): readonly Errand[] => {
  const scan = async ({ ask, settle }: ErrandWorld, id: string): Promise<void> => {
    await ask('POST', '/api/jobs', { body: { type: 'scan', libraryId: id }, may: [409] });
    await settle();
  };
  return [
    {
      name: 'items',
      run: async ({ ask, no }) => {
        const { nextCursor } = await ask<Items>('GET', '/api/items?limit=5');
        await ask('GET', `/api/items?limit=5&cursor=${encodeURIComponent(nextCursor ?? '')}`);
        const { items } = await ask<Items>('GET', `/api/items?libraryId=${libraryId}&limit=50`);
        for (const sortBy of sorts)
          for (const sortOrder of ['asc', 'desc'] as const) {
            const route = `/api/items?sortBy=${sortBy}&sortOrder=${sortOrder}&limit=3`;
            const { nextCursor: next } = await ask<Items>('GET', route, { may: [400] });
            if (typeof next === 'string')
              await ask('GET', `${route}&cursor=${encodeURIComponent(next)}`);
          }
        await ask('GET', '/api/items?type=movie&limit=3&includeHidden=true');
        const item = items[no % 40];
        const route = `/api/items/${item?.id ?? ''}`;
        await ask('GET', `${route}/chapters`);
        await ask('GET', `${route}/match`);
        await ask('GET', `${route}/matches`);
        await ask('GET', '/api/matches/pending?limit=3');
        await ask('PATCH', route, { body: { certification: 'R', title: `Renamed ${no}` } });
        await ask('PATCH', route, {
          body: { certification: null, metadata: { tags: ['a', 'b'] } },
        });
        await ask('POST', `${route}/refresh`, { may: [409] });
        const file = item?.files[0]?.id ?? '';
        await ask('GET', `/api/files/${file}/stream`);
        await ask('POST', `/api/files/${file}/link`, { body: {} });
        for (const q of ['film', 'Film 1', '"film 2"', 'actor', 'no such word'])
          await ask('GET', `/api/search?q=${encodeURIComponent(q)}`);
        await ask('GET', '/api/search?q=fi&limit=3&includeHidden=true');
        await ask(
          'GET',
          `/api/plugins/views/ui.item.detail.actions?context=${encodeURIComponent('{}')}`,
          {
            may: [400, 404],
          },
        );
        await ask('GET', '/api/rating-systems');
      },
    },
    {
      name: 'playback',
      run: async ({ ask, no }) => {
        const { items } = await ask<Items>('GET', `/api/items?libraryId=${libraryId}&limit=50`);
        const route = `/api/items/${items[40 + (no % 9)]?.id ?? ''}/playback`;
        await ask('PUT', route, { body: { position: 30, duration: 100 } });
        await ask('PUT', route, { body: { position: 100, duration: 100, completed: true } });
        await ask('GET', '/api/continue-watching?limit=2');
        await ask('GET', '/api/next-up?limit=2');
        await ask('DELETE', route);
      },
    },
    {
      name: 'collections',
      run: async ({ ask, no }) => {
        const { items } = await ask<Items>('GET', `/api/items?libraryId=${libraryId}&limit=5`);
        const { collection } = await ask<{ collection: Thing }>('POST', '/api/collections', {
          body: { distributedId: `errand-${no}`, name: `Evening ${no}`, sortBy: 'manual' },
        });
        const route = `/api/collections/${collection.id}`;
        for (const [at, { id }] of items.entries())
          await ask('PUT', `${route}/items/${id}?position=${at % 2}`);
        for (const sortBy of ['manual', 'title', 'year', 'addedAt'])
          await ask('GET', `${route}/items?sortBy=${sortBy}&sortOrder=desc&limit=2`);
        await ask('PATCH', route, {
          body: { name: `Night ${no}`, coverItemId: items[0]?.id, sortBy: 'title' },
        });
        await ask('DELETE', `${route}/items/${items[1]?.id ?? ''}`);
        await ask('GET', route);
        await ask('GET', '/api/collections?includeHidden=true&limit=3');
        await ask('DELETE', route);
      },
    },
    {
      name: 'entities',
      run: async ({ ask, no }) => {
        for (const type of ['person', 'genre', 'studio', 'collection', 'show'])
          await ask('GET', `/api/entities?type=${type}&limit=3`);
        const { entities } = await ask<Entities>('GET', '/api/entities?type=person&limit=500');
        const [one, other] = [entities[0]?.id ?? '', entities[1]?.id ?? ''];
        await ask('GET', `/api/entities/${one}`);
        await ask('GET', `/api/entities/${one}/items?role=actor&limit=2`);
        await ask('PATCH', `/api/entities/${one}`, {
          body: { searchTerms: `player ${no}`, metadata: { born: 1950 }, hidden: no % 2 === 0 },
        });
        await ask('POST', `/api/entities/${one}/merge`, { body: { ids: [other] }, may: [409] });
        const { items } = await ask<Items>('GET', `/api/entities/${one}/items?limit=50`);
        const itemIds = items.slice(0, Math.floor(items.length / 2)).map(({ id }) => id);
        await ask('POST', `/api/entities/${one}/split`, {
          body: { itemIds, name: `Double ${no}` },
          may: [400, 409],
        });
        await ask('PATCH', `/api/entities/${one}`, { body: { searchTerms: null, hidden: false } });
      },
    },
    {
      name: 'a library of films that comes, changes and goes',
      run: async (world) => {
        const { ask, no } = world;
        const id = await madeLibrary(world, shelf, 'movies');
        await shelf.write(`First ${no} (1999)/First ${no} (1999).mkv`);
        await shelf.write(
          `First ${no} (1999)/First ${no} (1999).nfo`,
          `<movie><title>First ${no}</title><mpaa>PG</mpaa><genre>Drama</genre><set><name>Set ${no}</name></set><actor><name>Actor 1</name></actor><uniqueid type="imdb">tt${no}</uniqueid></movie>`,
        );
        await shelf.write(`First ${no} (1999)/poster.jpg`);
        await shelf.write(
          `First ${no} (1999)/First ${no} (1999).chapters.txt`,
          '00:00:00.000 Begin\n',
        );
        await shelf.write(`Second ${no} (2001)/Second ${no} (2001).mkv`);
        await shelf.write(`Second ${no} (2001)/Second ${no} (2001) trailer.mkv`);
        await scan(world, id);
        await shelf.move(`Second ${no} (2001)`, `Other ${no} (2001)`);
        await shelf.drop(`First ${no} (1999)/poster.jpg`);
        await scan(world, id);
        await shelf.drop(`First ${no} (1999)`);
        await scan(world, id);
        await ask('PATCH', `/api/libraries/${id}`, {
          body: { name: `Board ${no} of movies`, hidden: true },
        });
        await ask('GET', `/api/libraries/${id}?includeHidden=true`);
        await ask('GET', `/api/libraries/${id}/sources`, { may: [404] });
        await ask('PUT', `/api/libraries/${id}/sources`, {
          body: { order: ['tmdb'], fields: { poster: ['tmdb'] }, languages: ['de'] },
          may: [404, 409],
        });
        const { items } = await ask<Items>('GET', `/api/items?libraryId=${id}&includeHidden=true`);
        for (const item of items.slice(0, 1))
          await ask('DELETE', `/api/items/${item.id}?includeHidden=true`);
        await ask('DELETE', `/api/libraries/${id}`);
        await world.settle();
        await shelf.drop('.');
      },
    },
    {
      name: 'series, music and books',
      run: async (world) => {
        const { ask, no } = world;
        for (const [type, files] of Object.entries(others(no))) {
          const id = await madeLibrary(world, shelf, type);
          for (const file of files) await shelf.write(file);
          await scan(world, id);
          const { items } = await ask<Items>('GET', `/api/items?libraryId=${id}`);
          const first = items[0]?.id ?? '';
          await ask('PUT', `/api/items/${first}/playback`, {
            body: { position: 100, duration: 100, completed: true },
          });
          await ask('GET', '/api/next-up?limit=3');
          for (const kind of ['show', 'artist', 'album', 'author'])
            await ask('GET', `/api/entities?type=${kind}&limit=3`);
          await ask('DELETE', `/api/libraries/${id}`);
          await world.settle();
          await shelf.drop('.');
        }
      },
    },
  ];
};

const others = (no: number): Readonly<Record<string, readonly string[]>> => ({
  tv: [1, 2, 3].map((part) => `Show ${no}/Season 1/Show ${no} S01E0${part}.mkv`),
  music: [1, 2].map((part) => `Band ${no}/Record ${no}/0${part} - Song ${part}.mp3`),
  books: [`Writer ${no}/Book ${no}.epub`],
});
