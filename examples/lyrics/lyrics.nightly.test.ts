/** Lyrics against a fake of LRCLIB, which does what its public documentation says. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openPlugin, type NetRequest, type PluginUnderTest } from 'vitrine/plugin-test';

const synced = '[00:01.00] Hello';
let isAway = true;
const asked: string[] = [];

function answer({ url }: NetRequest) {
  if (isAway) return { status: 503 };
  const title = new URL(url).searchParams.get('track_name') ?? '';
  asked.push(title);
  if (title !== 'Song 0') return { status: 404, body: { name: 'TrackNotFound' } };
  return {
    body: { trackName: title, instrumental: false, plainLyrics: 'Hello', syncedLyrics: synced },
  };
}

const track = (at: number) => ({
  title: `Song ${at}`,
  libraryType: 'music',
  metadata: { artist: 'Ada', album: 'Tide' },
});
let plugin: PluginUnderTest;

beforeAll(async () => {
  plugin = await openPlugin(import.meta.dirname, {
    clock: Date.UTC(2026, 0, 2),
    library: {
      ...{ movies: 0, episodes: 0, tracks: 0, books: 0, photos: 0 },
      items: Array.from({ length: 21 }, (_, at) => track(at)),
    },
    hosts: { 'lrclib.net': answer },
  });
});

afterAll(() => plugin.close());

const given = (title: string) => {
  const item = plugin.library.items().find((one) => one.title === title);
  return plugin.hook('pipeline.index.afterProcess', plugin.library.hookInput(item?.id ?? ''));
};

test('asks for each track once, some at a time, and gives what it found as a track', async () => {
  const [library] = plugin.library.libraries();
  await plugin.event('library.scan.completed', {
    ...{ libraryId: library?.id ?? '', status: 'completed', added: 1, changed: 0, removed: 0 },
  } as never);
  await plugin.clock.advance(2 * 60_000);
  expect(await given('Song 0')).toBeNull();

  isAway = false;
  await plugin.clock.advance(5 * 60_000);
  await plugin.clock.advance(5 * 60_000);

  expect(asked.length).toBe(21);
  expect(new Set(asked).size).toBe(21);
  expect(plugin.jobs()).toMatchObject([{ type: 'refresh', libraryId: library?.id }]);
  expect(await given('Song 0')).toMatchObject({ subtitles: [{ format: 'lrc', text: synced }] });
  expect(await given('Song 1')).toBeNull();
});
