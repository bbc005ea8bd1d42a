/** kill -9 while two clients edit one playlist: after each restart it has all that was acknowledged. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { edit, entriesOf, newEdits, wrongsIn } from '../support/faults/playlist-editor.ts';
import { createMediaTree } from '../support/media/media-tree.ts';
import { seeded } from '../support/seeded.ts';
import { startServer, until } from '../support/servers/server.ts';

const kills = 6;
const films = 8;

test(
  `a playlist that two clients edit through ${kills} kills has each entry once, in order, and all that was acknowledged`,
  { timeout: 300_000 },
  async () => {
    const seed = Date.now() % 1_000_000;
    console.log(`seed ${seed}`);
    const random = seeded(seed);
    const names = Array.from({ length: films }, (_, at) => `Film ${at} (${1980 + at}).mkv`);
    const tree = await createMediaTree(names);
    const data = await mkdtemp(path.join(tmpdir(), 'vitrine-data-'));
    onTestFinished(async () => {
      await tree.remove();
      await rm(data, { recursive: true });
    });
    const args = ['--library', `movies:Films:${tree.path}`, '--ingest', 'off'];
    let server = await startServer({ data, args });
    onTestFinished(() => server.kill());
    let items: readonly string[] = [];
    await until('all films are there', async () => {
      const page = await server.get<{ items: readonly { id: string }[] }>('/api/items');
      items = page.items.map(({ id }) => id);
      return items.length === films;
    });
    const made = await server.request('POST', '/api/collections', {
      ...{ kind: 'playlist', name: 'Evening' },
    });
    const { id } = (made.body as { collection: { id: string } }).collection;
    const route = `/api/collections/${id}/entries`;
    await server.request('POST', route, { itemIds: [...items, ...items] });

    let before = (await entriesOf(server, id)).map((entry) => entry.id);
    let acknowledged = 0;
    for (let kill = 0; kill < kills; kill++) {
      const clients = [0, 1].map((of) => newEdits(before.filter((_, at) => at % 4 === of)));
      const living = server;
      let left = 20 + Math.floor(random() * 40);
      const onAnswer = (): void => {
        acknowledged += 1;
        left -= 1;
        if (left === 0) void living.kill();
      };
      await Promise.all(
        clients.map((edits) => edit(edits, { server: living, route, items, random, onAnswer })),
      );
      await living.kill();

      server = await startServer({ data, args });
      const after = await entriesOf(server, id);
      expect(wrongsIn(before, after, clients)).toEqual([]);
      before = after.map((entry) => entry.id);
    }

    expect(acknowledged).toBeGreaterThanOrEqual(kills * 20);
  },
);
