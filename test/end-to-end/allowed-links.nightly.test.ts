/** A folder that an admin allows to the links of a root is read by the scan, a stream and a session alike. */
import { copyFile, mkdtemp, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { bars, hasFfmpeg, makeMedia, tone } from '../support/media/media-files.ts';
import { createMediaTree } from '../support/media/media-tree.ts';
import { allItems, firstScansOver, noJobs } from '../support/servers/scan.ts';
import { startServer } from '../support/servers/server.ts';

test.skipIf(!hasFfmpeg)(
  'a folder for links opens the scan, streams and sessions, and closes them all (needs ffmpeg)',
  { timeout: 120_000 },
  async () => {
    const film = makeMedia('mp4', [
      ...[...bars(2), ...tone(2), '-c:v', 'libx264', '-preset', 'ultrafast'],
      ...['-pix_fmt', 'yuv420p', '-c:a', 'aac', '-shortest'],
    ]);
    const [films, pool] = [await createMediaTree(), await createMediaTree(['Two (2001).mp4'])];
    const data = await mkdtemp(path.join(tmpdir(), 'vitrine-data-'));
    onTestFinished(async () => {
      await Promise.all([films.remove(), pool.remove(), rm(data, { recursive: true })]);
    });
    await copyFile(film, path.join(pool.path, 'Two (2001).mp4'));
    await symlink(path.join(pool.path, 'Two (2001).mp4'), path.join(films.path, 'Two (2001).mp4'));
    const server = await startServer({ data });
    onTestFinished(async () => void (await server.stop()));
    const root = films.path;
    const links = [{ root, folder: pool.path }];

    const made = { name: 'Films', type: 'movies', roots: [root] };
    const refused = await server.request('POST', '/api/libraries', {
      ...made,
      links: [{ root, folder: data }],
    });
    expect(refused).toMatchObject({
      status: 400,
      body: { error: expect.stringContaining('the data folder of the server') },
    });
    for (const folder of ['/', '/etc', '/usr/share'])
      expect(
        await server.request('POST', '/api/libraries', { ...made, links: [{ root, folder }] }),
      ).toMatchObject({ status: 400 });

    const created = await server.request('POST', '/api/libraries', { ...made, links });
    expect(created.status).toBe(201);
    const { id } = (created.body as { readonly library: { readonly id: string } }).library;
    await firstScansOver(server);
    const [item] = await allItems(server);
    expect(item).toMatchObject({ title: 'Two' });
    const full = await server.get<{ item: { files: readonly { id: string }[] } }>(
      `/api/items/${item?.id}`,
    );
    const stream = `/api/files/${full.item.files[0]?.id}/stream`;
    const client = {
      mse: ['video/mp4; codecs="avc1.640028"', 'audio/mp4; codecs="mp4a.40.2"'],
      src: [],
    };
    const answers = async (): Promise<readonly number[]> => {
      const wanted = { itemId: item?.id, client };
      const begun = await server.request('POST', '/api/playback/sessions', wanted);
      const { session: open } = begun.body as { readonly session?: { readonly id: string } };
      if (open) await server.request('DELETE', `/api/playback/sessions/${open.id}`);
      return [(await server.request('HEAD', stream)).status, begun.status];
    };
    const allow = (some: typeof links) =>
      server.request('PATCH', `/api/libraries/${id}`, { links: some });
    expect(await answers()).toEqual([200, 201]);

    expect((await allow([])).status).toBe(200);
    expect(await answers()).toEqual([403, 403]);
    await server.request('POST', '/api/jobs', { type: 'scan', libraryId: id });
    await noJobs(server);
    const shown = await server.get(`/api/libraries/${id}`);
    expect(JSON.stringify(shown)).toContain('out of the library');

    expect((await allow(links)).status).toBe(200);
    expect(await answers()).toEqual([200, 201]);
  },
);
