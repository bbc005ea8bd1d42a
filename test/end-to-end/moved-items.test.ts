/** A film that is moved to another library keeps what was said of it. */
import { mkdir, mkdtemp, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { eventually } from '../support/eventually.ts';
import { jobsOver } from '../support/servers/scan.ts';
import { startServer, type TestServer } from '../support/servers/server.ts';

let folder: string;
let server: TestServer;
beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'vitrine-moved-items-'));
  for (const [no, film] of ['films/Alpha', 'films/Beta', 'kids/Zeta'].entries()) {
    const file = path.join(folder, `${film} (2001)`, `${path.basename(film)} (2001).mkv`);
    await mkdir(path.dirname(file), { recursive: true });
    await writeFile(file, Buffer.alloc(100_000 + no, film));
  }
  server = await startServer({
    args: ['films', 'kids'].flatMap((name) => ['--library', `movies:${name}:${folder}/${name}`]),
  });
  await jobsOver(server);
}, 120_000);
afterAll(async () => {
  await server.stop();
  await rm(folder, { recursive: true, force: true });
});

const send = async <Shape>(method: string, url: string, body: object): Promise<Shape> => {
  const reply = await server.request(method, url, body);
  expect(reply.status, `${method} ${url}: ${JSON.stringify(reply.body)}`).toBeLessThan(300);
  return reply.body as Shape;
};

interface Shown {
  readonly id: string;
  readonly title: string;
  readonly favourite: boolean;
  readonly myRating: number | null;
  readonly playback: { readonly position: number };
}

async function alphaIn(library: string): Promise<Shown | undefined> {
  const { items } = await server.get<{ items: readonly (Shown & { libraryId: string })[] }>(
    '/api/items?fields=full',
  );
  return items.find((item) => item.title === 'Alpha' && item.libraryId === libraryNamed[library]);
}

let libraryNamed: Readonly<Record<string, string>> = {};
async function scan(name: string): Promise<void> {
  await send('POST', '/api/jobs', { type: 'scan', libraryId: libraryNamed[name] });
  await jobsOver(server);
}

test('a film keeps its state, its favourites and its places in playlists, whichever library is scanned first', async () => {
  const { libraries } = await server.get<{ libraries: { id: string; name: string }[] }>(
    '/api/libraries',
  );
  libraryNamed = Object.fromEntries(libraries.map(({ name, id }) => [name, id]));
  const { id } = (await alphaIn('films')) ?? { id: '' };
  await send('PUT', `/api/items/${id}/playback`, { position: 700, duration: 5000 });
  await send('PUT', `/api/items/${id}/favourite`, {});
  await send('PUT', `/api/items/${id}/rating`, { value: 4.5 });
  const { collection } = await send<{ collection: { id: string } }>('POST', '/api/collections', {
    ...{ kind: 'playlist', name: 'Evening' },
  });
  const entries = `/api/collections/${collection.id}/entries`;
  await send('POST', entries, { itemIds: [id, id] });

  const said = { favourite: true, myRating: 4.5, playback: { position: 700 } };
  const isThere = async (library: string): Promise<void> => {
    await eventually(
      `the state is in ${library}`,
      async () => (await alphaIn(library))?.favourite === true,
    );
    const item = await alphaIn(library);
    expect(item).toMatchObject(said);
    const found = await server.get<{ entries: { item: { id: string } }[] }>(entries);
    expect(found.entries.map((entry) => entry.item.id)).toEqual([item?.id, item?.id]);
  };
  await rename(path.join(folder, 'films/Alpha (2001)'), path.join(folder, 'kids/Alpha (2001)'));
  await scan('kids');
  await scan('films');
  await isThere('kids');
  await rename(path.join(folder, 'kids/Alpha (2001)'), path.join(folder, 'films/Alpha (2001)'));
  await scan('kids');
  await scan('films');
  await isThere('films');
  expect((await alphaIn('films'))?.id).toBe(id);
});
