/**
 * kill -9 at random moments of an ingest: after the restart it ends with every item right, nothing
 * lost and nothing doubled. The probe is a plugin of the test in a real isolate.
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createMediaTree, type MediaTree } from '../support/media-tree.ts';
import { allItems, jobsOver } from '../support/scan.ts';
import { startServer, until, type TestServer } from '../support/server.ts';
import { grant } from './watched-server.ts';
import { writePlugin } from './write-plugin.ts';

const kills = 20;
const films = 1200;

let tree: MediaTree;
let data: string;

beforeAll(async () => {
  tree = await createMediaTree();
  for (let film = 0; film < films; film++) {
    const folder = `${String(film % 30).padStart(2, '0')}/Film ${film} (${1950 + (film % 70)})`;
    await tree.write(`${folder}/Film ${film}.mkv`);
    if (film % 5 === 0) await tree.write(`${folder}/Film ${film}.nfo`, nfoOf(film));
  }
  data = await mkdtemp(path.join(tmpdir(), 'vitrine-data-'));
  await writePlugin(data, {
    id: 'slow-probe',
    capabilities: ['probe'],
    capabilityConfig: { probe: { extensions: ['mkv'] } },
    definition: `methods: { 'probe.probe': async ({ files }) => {
      await new Promise((resolve) => setTimeout(resolve, 300));
      return { results: files.map(({ size }) => ({ kind: 'read', report: {
        container: 'test', duration: size,
        streams: [{ index: 0, kind: 'video', codec: 'h264' }],
        chapters: [{ startTime: 0, title: 'Only' }],
        artwork: [{ type: 'cover', mimeType: 'image/png', size: 1 }],
      } })) };
    } }`,
  });
});

afterAll(async () => {
  await tree.remove();
  await rm(data, { recursive: true });
});

const nfoOf = (film: number): string =>
  `<movie><title>Named ${film}</title><genre>Drama</genre><actor><name>Actor ${film % 7}</name></actor></movie>`;

/** Whether an ingest is under way, or over. */
async function isIngesting(server: TestServer): Promise<boolean> {
  const { jobs } = await server.get<{ jobs: { type: string; status: string }[] }>('/api/jobs');
  return jobs.some(({ type, status }) => type === 'probe' && status !== 'pending');
}

test(
  `an ingest that is killed ${kills} times ends with every item once, and right`,
  { timeout: 240_000 },
  async () => {
    const args = ['--library', `movies:Films:${tree.path}`];
    const first = await startServer({ data });
    await grant(first, 'slow-probe');
    await first.kill();

    let interrupted = 0;
    for (let kill = 0; kill < kills; kill++) {
      const server = await startServer({ data, args });
      await until('an ingest is under way', () => isIngesting(server), 30_000, 50);
      await new Promise((resolve) => setTimeout(resolve, Math.random() * 500));
      const { counts } = await server.get<{ counts: { running: number } }>('/api/jobs');
      if (counts.running > 0) interrupted += 1;
      await server.kill();
      if (counts.running === 0) break;
    }

    const server = await startServer({ data, args });
    await jobsOver(server);
    const items = await allItems(server);
    const whole = await server.get<{ item: { assets: object; linkedEntities: object[] } }>(
      `/api/items/${items.find(({ title }) => title === 'Named 0')?.id}`,
    );
    const { entities } = await server.get<{ entities: { name: string }[] }>(
      '/api/entities?type=person&limit=100',
    );
    await server.stop();

    expect(interrupted).toBeGreaterThan(0);
    expect(items).toHaveLength(films);
    expect(new Set(items.flatMap(({ files }) => files.map(({ uri }) => uri))).size).toBe(films);
    for (const item of items) {
      const [file] = item.files;
      expect(file).toMatchObject({
        status: 'active',
        duration: file?.size,
        fileInfo: { container: 'test', streams: [{ codec: 'h264' }] },
        chapters: [{ title: 'Only' }],
      });
    }
    expect(items.filter(({ title }) => title.startsWith('Named '))).toHaveLength(films / 5);
    expect(Object.keys(whole.item.assets)).toEqual(['cover']);
    expect(whole.item.linkedEntities).toHaveLength(2);
    expect(entities.map(({ name }) => name).sort()).toEqual(
      Array.from({ length: 7 }, (_, no) => `Actor ${no}`),
    );
  },
);
