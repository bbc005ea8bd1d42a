/**
 * kill -9 while pictures are made: after the restart the cache has only whole pictures, and each photo
 * answers with all of its bytes.
 */
import { readdir, readFile, rm, stat } from 'node:fs/promises';
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import webp from '@cwasm/webp';
import { expect, onTestFinished, test } from 'vitest';
import { createMediaTree } from '../support/media/media-tree.ts';
import { makePng } from '../support/pictures/made-png.ts';
import { jobsOver } from '../support/servers/scan.ts';
import { adminToken, startServer, until, type TestServer } from '../support/servers/server.ts';

const photos = 30;
const kills = 10;

/** The ids of the pictures of all photos. */
async function picturesOf(server: TestServer): Promise<readonly string[]> {
  const { items } = await server.get<{ items: { picture: { id: string } | null }[] }>(
    '/api/items?fields=tile&limit=100',
  );
  return items.flatMap(({ picture }) => (picture === null ? [] : [picture.id]));
}

async function load(server: TestServer, id: string, width: number): Promise<Buffer> {
  const reply = await fetch(`${server.url}/api/assets/${id}?width=${width}&format=webp`, {
    headers: { authorization: `Bearer ${adminToken}` },
  });
  const bytes = Buffer.from(await reply.arrayBuffer());
  expect([reply.status, reply.headers.get('content-length')]).toEqual([200, String(bytes.length)]);
  return bytes;
}

/** Names of files in the cache that are whole, and of all others. */
async function cached(
  folder: string,
): Promise<{ whole: string[]; other: string[]; bytes: number }> {
  const found = { whole: [] as string[], other: [] as string[], bytes: 0 };
  for (const name of await readdir(folder).catch(() => [])) {
    const file = await stat(path.join(folder, name)).catch(() => null);
    // A picture that is ready has got its own name meanwhile.
    if (file === null) continue;
    found.bytes += file.size;
    found[/^[0-9a-f]{64}$/.test(name) ? 'whole' : 'other'].push(name);
  }
  return found;
}

test(
  `pictures that were being made at ${kills} kills are made again, and none is half`,
  { timeout: 240_000 },
  async () => {
    const tree = await createMediaTree();
    const data = await mkdtemp(path.join(tmpdir(), 'vitrine-data-'));
    const folder = path.join(data, 'cache/pictures');
    onTestFinished(async () => {
      await tree.remove();
      await rm(data, { recursive: true });
    });
    for (let photo = 0; photo < photos; photo++) {
      const draw = (x: number, y: number) => [(x + photo) & 255, y & 255, photo, 255] as const;
      await tree.write(`${photo}.png`, makePng({ width: 400, height: 300, draw }));
    }
    const args = ['--library', `photos:Photos:${tree.path}`];
    const first = await startServer({ data, args });
    await jobsOver(first);
    const ids = await picturesOf(first);
    await first.kill();
    expect(ids).toHaveLength(photos);

    for (const [kill, width] of [160, 320, 640, 1280, 1920].slice(0, kills).entries()) {
      const server = await startServer({ data, args });
      const before = (await cached(folder)).whole.length;
      const loads = ids.map((id) => load(server, id, width).catch(() => null));
      await until('some are made', async () => (await cached(folder)).whole.length > before + kill);
      await server.kill();
      await Promise.all(loads);
    }

    const last = await startServer({ data, args });
    try {
      for (const id of ids) {
        const bytes = await load(last, id, 160);
        expect(bytes.readUInt32LE(4) + 8).toBe(bytes.length);
        expect(webp.decode(bytes)).toMatchObject({ width: 160, height: 120 });
      }
      const { whole, other, bytes } = await cached(folder);
      expect(other).toEqual([]);
      expect(whole.length).toBeGreaterThanOrEqual(photos);
      expect(bytes).toBeLessThan(2 * 1024 ** 3);
      for (const name of whole)
        expect(bodyIsWhole(await readFile(path.join(folder, name)))).toBe(true);
      const { items } = await last.get<{ items: { picture: object }[] }>('/api/items?fields=tile');
      expect(items[0]?.picture).toMatchObject({
        color: expect.stringMatching(/^#[0-9a-f]{6}$/),
        thumbhash: expect.stringMatching(/^[\w+/]{20,}/),
      });
    } finally {
      await last.stop();
    }
  },
);

/** Each file says in its head how long its body is. */
function bodyIsWhole(bytes: Buffer): boolean {
  const end = 4 + bytes.readUInt32BE();
  const { bodyBytes } = JSON.parse(bytes.toString('utf8', 4, end)) as { bodyBytes: number };
  return bytes.length - end === bodyBytes;
}
