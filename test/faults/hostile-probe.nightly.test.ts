/**
 * A probe that dies, throws and lies, in a real isolate: each bad file pays for itself, and no other
 * file pays for it.
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createMediaTree, type MediaTree } from '../support/media/media-tree.ts';
import { allItems, jobsOver, type ListedItem } from '../support/servers/scan.ts';
import {
  beginScan,
  grant,
  makeProvider,
  startWatchedServer,
  type WatchedServer,
} from './watched-server.ts';
import { writePlugin } from './write-plugin.ts';

const bad = ['Loops', 'Throws', 'Lies', 'Talks'];
const good = Array.from({ length: 40 }, (_, no) => `Good ${no}`);

let data: string;
let tree: MediaTree;
let server: WatchedServer;
let items: readonly ListedItem[];

beforeAll(async () => {
  data = await mkdtemp(path.join(tmpdir(), 'vitrine-data-'));
  await writePlugin(data, {
    id: 'bad-probe',
    capabilities: ['probe'],
    capabilityConfig: { probe: { extensions: ['mkv'] } },
    definition: `methods: { 'probe.probe': ({ files }) => ({ results: files.map(({ uri }) => {
      if (uri.includes('Loops')) for (;;);
      if (uri.includes('Throws')) throw new Error('I do not like it.');
      if (uri.includes('Lies')) return { kind: 'read', report: { container: 5, streams: 'none' } };
      if (uri.includes('Talks')) return { kind: 'read', report: { container: 'test',
        streams: Array.from({ length: 9999 }, (_, index) => ({ index, kind: 'audio', codec: 'x' })) } };
      return { kind: 'read', report: { container: 'test', duration: 9, streams: [] } };
    }) }) }`,
  });
  tree = await createMediaTree([...bad, ...good].map((name) => `${name} (1999)/f.mkv`));
  // A loop takes as long as a probe may: in its batch, and then alone.
  server = await startWatchedServer(data, ['--probe-seconds', '3']);
  await grant(server, 'bad-probe');
  await makeProvider(server, 'bad-probe');
  await beginScan(server, tree.path);
  await jobsOver(server, 180_000);
  items = await allItems(server);
}, 240_000);

afterAll(async () => {
  await server.stop();
  await tree.remove();
  await rm(data, { recursive: true });
});

interface ShownFile {
  readonly status: string;
  readonly duration: number | null;
  readonly fileInfo: Readonly<Record<string, unknown>>;
}

function fileOf(title: string): ShownFile {
  const file = items.find((item) => item.title === title)?.files[0];
  if (file === undefined) throw new Error(`${title} is not there.`);
  return file as unknown as ShownFile;
}

describe('a probe that fails in every way', () => {
  test('costs no other file anything', () => {
    for (const title of good)
      expect(fileOf(title)).toMatchObject({ status: 'active', duration: 9 });
  });

  test.each([
    ['Loops', 'probe-failed'],
    ['Throws', 'probe-failed'],
    ['Lies', 'malformed'],
  ])('costs the file %s its own error, which is shown with it', (title, code) => {
    expect(fileOf(title)).toMatchObject({ status: 'error', fileInfo: { error: { code } } });
  });

  test('says no more of a file than fits into a database', () => {
    expect(fileOf('Talks').fileInfo).toMatchObject({ container: 'test' });
    expect(fileOf('Talks').fileInfo['streams']).toHaveLength(200);
  });

  test('leaves every item there, and the server answering all along', () => {
    expect(items).toHaveLength(bad.length + good.length);
    expect(server.watch.asked).toBeGreaterThan(10);
    expect(server.watch.faults).toEqual([]);
  });

  test('is accounted for: each of its deaths was told', () => {
    const deaths = server.events.filter(
      ({ type, data: told }) => type === 'plugin.error' && told['pluginId'] === 'bad-probe',
    );
    expect(deaths.length).toBeGreaterThan(0);
  });
});
