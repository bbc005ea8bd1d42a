/** The built-in `sidecars` as the server runs it: built, packed, in an isolate, its answers checked. */
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  bundleOf,
  deltaOf,
  pack,
  type FakeItem,
} from '../../builtin-plugins/sidecars/fake-item.ts';
import { createHookRules } from '../../kernel/call/hooks/hook-rules.ts';
import { silentLog } from '../../kernel/log.ts';
import type { Sandboxes } from '../../kernel/run/sandbox/index.ts';
import { createPacker } from '../../kernel/run/scripts/index.ts';
import type { HostReply } from '../../kernel/call/running-plugin.ts';
import type { ReadRangesInput } from '../../plugin-api/index.ts';
import { buildPlugin } from '../../packages/app/cli/build.ts';
import { openSandboxes, startPlugin, type TestPlugin } from '../support/plugins/open-sandboxes.ts';

const hook = 'pipeline.probe.afterProcess';
const folder = path.resolve(import.meta.dirname, '../../builtin-plugins/sidecars');
const { check } = createHookRules()[hook];

let build: string;
let sandboxes: Sandboxes;
let plugin: TestPlugin;
/** What lies on the disk of these tests. */
let disk: ReadonlyMap<string, string>;
let reads = 0;

beforeAll(async () => {
  build = await mkdtemp(path.join(tmpdir(), 'vitrine-sidecars-'));
  await buildPlugin(folder, build);
  const packer = createPacker({ cacheFolder: path.join(build, 'cache'), log: silentLog });
  sandboxes = openSandboxes();
  plugin = await startPlugin(sandboxes, {
    script: await packer.toScript(await readFile(path.join(build, 'index.js'), 'utf8')),
    services: { fs: ['readRanges'] },
    gate: async (call) => readRanges(String(call.body)),
  });
});

afterAll(async () => {
  await sandboxes.stop();
  await rm(build, { recursive: true });
});

function readRanges(body: string): HostReply {
  reads += 1;
  const { ranges } = JSON.parse(body) as ReadRangesInput;
  const encoder = new TextEncoder();
  const parts = ranges.map(({ uri, offset, length }) =>
    encoder.encode(disk.get(uri) ?? '').subarray(offset, offset + length),
  );
  return { ok: true, body: pack(parts) };
}

/** Sends the item through the isolate as the kernel would. */
async function dispatch(item: FakeItem): Promise<unknown> {
  const bundle = bundleOf(item);
  const texts = Object.values(item.beside ?? {}) as readonly string[];
  disk = new Map(bundle.files.auxiliary.map(({ uri }, at) => [uri, texts[at] ?? '']));
  const reply = await plugin.call('hook.dispatch', { name: hook, input: { itemId: 'i', bundle } });
  if (reply.kind !== 'returned') throw new Error(JSON.stringify(reply));
  return JSON.parse(String(reply.body));
}

const sample = (name: string) => readFile(path.join(folder, 'samples', name), 'utf8');

describe('sidecars in an isolate', () => {
  test('say what they say outside of one, in a delta that the kernel takes', async () => {
    const items: readonly FakeItem[] = [
      {
        media: ['F/Film.mkv'],
        beside: {
          'F/Film.nfo': await sample('kodi-film.nfo'),
          'F/poster.jpg': '',
          'F/Film.pt-BR.sdh.ass': '',
        },
      },
      { media: ['F/Film.mkv'], beside: { 'F/movie.nfo': await sample('jellyfin-film.nfo') } },
      {
        media: ['S/Season 2/e.mkv'],
        fields: { series: 'S', season: 2, episode: 3 },
        beside: {
          'S/tvshow.nfo': await sample('tvshow.nfo'),
          'S/Season 2/season.nfo': await sample('season.nfo'),
          'S/Season 2/e.nfo': await sample('two-episodes.nfo'),
          'S/season02-poster.jpg': '',
        },
      },
      {
        media: ['A/B/1.flac'],
        beside: {
          'A/artist.nfo': await sample('artist.nfo'),
          'A/B/album.nfo': await sample('album.nfo'),
        },
      },
      { media: ['B/b.epub'], beside: { 'B/metadata.opf': await sample('calibre.opf') } },
      {
        media: ['B/1.mp3', 'B/2.mp3'],
        durations: [1200.25, 1200],
        fields: { author: 'A' },
        beside: {
          'B/metadata.json': await sample('metadata.json'),
          'B/metadata.opf': await sample('audiobook.opf'),
        },
      },
      { media: ['C/1.cbz'], beside: { 'C/ComicInfo.xml': await sample('ComicInfo.xml') } },
    ];

    for (const item of items) {
      const delta = await dispatch(item);

      expect(delta).toEqual(await deltaOf(item));
      expect(check(delta)).toEqual({ ok: true, value: delta, refused: [] });
    }
  });

  test('read all texts of an item in one call, and make no call when there are none', async () => {
    const before = reads;

    await dispatch({ media: ['F/Film.mkv'], beside: { 'F/Film.nfo': 'a', 'F/movie.nfo': 'b' } });
    expect(reads - before).toBe(1);
    expect(await dispatch({ media: ['F/Film.mkv'] })).toBeNull();
    expect(reads - before).toBe(1);
  });

  test('go on after texts that mean harm, and warn of those that are refused', async () => {
    const bomb =
      '<!DOCTYPE a [<!ENTITY a "ha"><!ENTITY b "&a;&a;">]><movie><title>&b;</title></movie>';
    const deep = '<a>'.repeat(349_000);

    expect(await dispatch({ media: ['F/F.mkv'], beside: { 'F/F.nfo': bomb } })).toEqual({
      fields: { title: '&b;' },
    });
    expect(await dispatch({ media: ['F/F.mkv'], beside: { 'F/F.nfo': deep } })).toBeNull();
    expect(plugin.logs.map(({ level, text }) => [level, text])).toEqual([
      ['warn', '"F/F.nfo" is not read: it is nested more than 32 levels deep.'],
    ]);
    expect(plugin.sandbox.usage().timeouts).toBe(0);
  });

  test('keep every delta within what the kernel takes, however much a text says', async () => {
    const actor = '<actor><name>Someone</name><role>x</role></actor>';
    const much = [
      `<title>${'t'.repeat(5000)}</title>`,
      `<plot>${'p'.repeat(60_000)}</plot>`,
      `<uniqueid type="${'x'.repeat(300)}">1</uniqueid><uniqueid type="y">${'1'.repeat(300)}</uniqueid>`,
      `<uniqueid type="__proto__">1</uniqueid><uniqueid type="constructor">1</uniqueid>`,
      Array.from({ length: 500 }, (_, at) => `<uniqueid type="p${String(at)}">1</uniqueid>`).join(
        '',
      ),
      Array.from({ length: 500 }, (_, at) => `<genre>g${String(at)}</genre>`).join(''),
      `<thumb>https://example.org/${'a'.repeat(9000)}</thumb>`,
      Array.from({ length: 500 }, (_, at) => `<thumb>https://a.org/${String(at)}</thumb>`).join(''),
      actor.repeat(3000),
    ].join('');

    const delta = await dispatch({
      media: ['F/F.mkv'],
      beside: { 'F/F.nfo': `<movie>${much}</movie>` },
    });

    expect(check(delta)).toEqual({ ok: true, value: delta, refused: [] });
    expect(JSON.stringify(delta).length).toBeLessThan(200_000);
  });
});
