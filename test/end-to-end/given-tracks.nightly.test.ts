/**
 * Text tracks that a plugin gives: in a scheme that it serves, at an address of a granted host, and as
 * the text itself. They are played like files beside the media, by those who see the item, as long as
 * the plugin may give them.
 */
import { readFile } from 'node:fs/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { bars, hasFfmpeg, makeMedia } from '../support/media/media-files.ts';

import { makeFlac } from '../support/media/made-flac.ts';
import { createMediaTree, type MediaTree } from '../support/media/media-tree.ts';
import { startHttpSource, type HttpSource } from '../support/servers/http-source.ts';
import { firstScansOver, noJobs } from '../support/servers/scan.ts';
import { adminToken, startServer, type TestServer } from '../support/servers/server.ts';
import { startMarketplaceSite, type MarketplaceSite } from '../support/plugins/marketplace-site.ts';
import { createPublisher } from '../support/plugins/packages.ts';

const id = 'giver';
const at = `/api/plugins/${id}`;
const srt = (text: string): string => `1\n00:00:00,100 --> 00:00:00,900\n${text}\n`;

/** It gives what it is told to give, and serves one file in a scheme of its own. */
const source = `
const served = new TextEncoder().encode(${JSON.stringify(srt('From its scheme.'))});
const file = { kind: 'file', size: served.length, modifiedAt: 1, properties: {} };
export default {
  methods: {
    'filesystem.stat': ({ uri }) => ({ uri, ...file }),
    'filesystem.read': ({ offset, length }) => served.slice(offset, offset + length),
  },
  hooks: {
    'pipeline.index.afterProcess': async ({ bundle }, host) => {
      const given = await host.kv.get({ key: 'given ' + bundle.fields.title });
      if (given === null) return null;
      const subtitles = JSON.parse(given).map(({ length, ...track }) =>
        length === undefined ? track : { ...track, text: 'a'.repeat(length) });
      return { subtitles };
    },
  },
  actions: {
    give: ({ title, text }, host) =>
      host.kv.set({ key: 'given ' + title, value: text }).then(() => null),
  },
};`;

const holds = { supportsWatch: false, supportsLocalFileAccess: false, supportsWrite: false };

let site: MarketplaceSite;
let web: HttpSource;
let films: MediaTree;
let hidden: MediaTree;
let music: MediaTree;
let server: TestServer;
let childToken: string;
let ids: Readonly<Record<string, string>>;
let asked: Readonly<Record<string, unknown>>;

beforeAll(async () => {
  site = await startMarketplaceSite();
  web = await startHttpSource(({ url }, response) => {
    if (url === '/away') return response.writeHead(302, { location: 'http://127.0.0.1:1/' }).end();
    // Not UTF-8.
    return response.end(Buffer.from(srt('Grüße aus dem Netz.'), 'latin1'));
  });
  films = await createMediaTree(['One (1999)/One (1999).mkv']);
  if (hasFfmpeg) {
    const film = await readFile(makeMedia('mkv', [...bars(1), '-c:v', 'libx264']));
    await films.write('One (1999)/One (1999).mkv', film);
  }
  hidden = await createMediaTree(['Secret (2010)/Secret (2010).mkv']);
  music = await createMediaTree();
  await music.write(
    'Band/Album/01 Song.flac',
    makeFlac(10, { TITLE: 'Song', ARTIST: 'Band', ALBUM: 'Album' }),
  );
  asked = {
    metadata: 'write',
    net: [web.host],
    kv: { quotaMb: 1 },
  };
  site.publish(
    {
      ...{ id, version: '1.0.0', permissions: asked, actions: ['give'] },
      capabilities: ['filesystem'],
      capabilityConfig: { filesystem: { ...holds, schemes: ['giver-texts'] } },
      subscriptions: { hooks: [{ name: 'pipeline.index.afterProcess' }] },
    },
    { signer: createPublisher(), source },
  );
  server = await startServer({
    args: [
      ...['--net-allow', web.host],
      ...['--library', `movies:Films:${films.path}`],
      ...['--library', `movies:Hidden:${hidden.path}`, '--library', `music:Music:${music.path}`],
    ],
    env: { VITRINE_MARKETPLACE_MINUTES: '0' },
  });
  await firstScansOver(server);
  const { items } = await server.get<{ items: readonly { id: string; title: string }[] }>(
    '/api/items',
  );
  ids = Object.fromEntries(items.map((item) => [item.title, item.id]));
  const { libraries: all } = await server.get<{
    libraries: readonly { id: string; name: string }[];
  }>('/api/libraries');
  const libraryId = all.find(({ name }) => name === 'Films')?.id ?? '';
  const password = 'correct horse battery';
  await server.request('POST', '/api/users', {
    ...{ name: 'kid', password, libraryAccess: [{ libraryId }] },
  });
  const login = await server.request('POST', '/api/auth/login', { name: 'kid', password });
  childToken = (login.body as { sessionToken: string }).sessionToken;
  await server.request('POST', '/api/plugins/marketplace/sources', {
    ...{ url: site.indexUrl, publisherKey: site.key.publicKey },
  });
  const installed = await server.request('POST', '/api/plugins/marketplace/install', { id });
  expect(installed.status).toBe(200);
  ({ asked } = await server.get<{ asked: Readonly<Record<string, unknown>> }>(`${at}/permissions`));
  await grant({});
}, 120_000);

afterAll(async () => {
  await server.stop();
  await Promise.all([films, hidden, music].map((tree) => tree.remove()));
  await Promise.all([web.close(), site.close()]);
});

async function grant(changed: Readonly<Record<string, unknown>>): Promise<void> {
  const granted = Object.fromEntries(
    Object.entries({ ...asked, ...changed }).filter(([, value]) => value !== undefined),
  );
  const { status, body } = await server.request('PUT', `${at}/permissions`, { granted });
  expect([status, body]).toEqual([200, expect.anything()]);
}

interface Track {
  readonly id: string;
  readonly kind: string;
  readonly language: string | null;
  readonly title: string | null;
  readonly url: string;
}

/** Gives tracks for an item, and has it looked at again. */
async function give(title: string, tracks: readonly object[]): Promise<readonly Track[]> {
  const external = tracks.map((track) => ({ type: 'external', source: 'other', ...track }));
  const text = JSON.stringify(external);
  const given = await server.request('POST', `${at}/actions/give`, { title, text });
  expect(given.status).toBe(200);
  await server.request('POST', `/api/items/${ids[title]}/refresh`, {});
  await noJobs(server);
  return tracksOf(title);
}

interface ShownItem {
  readonly files: readonly { readonly id: string; readonly text: readonly Track[] }[];
  readonly subtitles: readonly Readonly<Record<string, unknown>>[];
}

const itemOf = async (title: string): Promise<ShownItem> =>
  (await server.get<{ item: ShownItem }>(`/api/items/${ids[title]}`)).item;

const tracksOf = async (title: string): Promise<readonly Track[]> =>
  (await itemOf(title)).files.flatMap(({ text }) => text);

const play = async (url = '', token?: string): Promise<readonly [number, string]> => {
  const headers = { authorization: `Bearer ${token ?? adminToken}` };
  const reply = await fetch(server.url + url, { headers });
  return [reply.status, await reply.text()];
};

const refusals = async (): Promise<string> => {
  const { lines } = await server.get<{ lines: readonly { text: string }[] }>(`${at}/logs`);
  return lines.map(({ text }) => text).join('\n');
};

const own = { format: 'srt', language: 'en', title: 'Its own', uri: 'giver-texts://one/1.srt' };
const fetched = () => ({ format: 'srt', language: 'de', uri: `http://${web.host}/1.srt` });
const itself = { format: 'srt', language: 'fr', text: srt('Le texte même.') };

describe('a track that a plugin gives', () => {
  test('is played: in its scheme, from a granted host, and as the text itself', async () => {
    const tracks = await give('One', [own, fetched(), itself]);

    expect(tracks).toMatchObject([
      { kind: 'subtitle', language: 'en', title: 'Its own' },
      { kind: 'subtitle', language: 'de', title: null },
      { kind: 'subtitle', language: 'fr', title: null },
    ]);
    expect(web.requests).toHaveLength(0);
    const played = [];
    for (const { url } of tracks) played.push(await play(url));
    expect(played).toEqual([
      [200, expect.stringMatching(/^WEBVTT\n[^]*From its scheme\./)],
      [200, expect.stringMatching(/^WEBVTT\n[^]*Grüße aus dem Netz\./)],
      [200, expect.stringMatching(/^WEBVTT\n[^]*Le texte même\./)],
    ]);
    expect(await play(tracks[2]?.url, childToken)).toEqual(played[2]);
    const { subtitles } = await itemOf('One');
    expect(subtitles.map((one) => [one['source'], one['textKey'], one['text']])).toEqual(
      subtitles.map(() => [id, undefined, undefined]),
    );
  });

  test('at an address is fetched once, also when the item is read again', async () => {
    await play((await tracksOf('One'))[1]?.url);
    const [, german] = await give('One', [own, fetched(), itself]);
    await play(german?.url.replace(/vtt$/, 'ass'));

    expect(web.requests.map(({ path }) => path)).toEqual(['/1.srt']);
  });

  test.runIf(hasFfmpeg)('is a track of a session', async () => {
    const info = await server.get<{ files: readonly { candidates: readonly string[] }[] }>(
      `/api/items/${ids['One']}/playback-info`,
    );
    const mse = info.files[0]?.candidates ?? [];
    const { body } = await server.request('POST', '/api/playback/sessions', {
      ...{ itemId: ids['One'], client: { mse, src: [] } },
    });
    const { session } = body as {
      session: { tracks: readonly { kind: string; language: string; url: string }[] };
    };
    const texts = session.tracks.filter(({ kind }) => kind === 'subtitle');

    expect(texts.map(({ language }) => language)).toEqual(['en', 'de', 'fr']);
    for (const { url } of texts)
      expect(await play(url)).toEqual([200, expect.stringMatching(/^WEBVTT\n/)]);
  });

  test('is refused with the reason where it could not be played', async () => {
    const nobody = 'http://127.0.0.1:9/1.srt';
    const tracks = await give('One', [
      { ...own, uri: 'other-texts://one/1.srt' },
      { format: 'srt', uri: nobody },
      { format: 'srt' },
      { ...itself, uri: own.uri },
      { ...itself, format: 'vobsub' },
      { ...itself, mediaFileUri: 'file:///elsewhere/Two.mkv' },
      itself,
    ]);

    expect(tracks).toMatchObject([{ language: 'fr' }]);
    const log = await refusals();
    for (const why of [
      '"other-texts://one/1.srt" is not below a root of the library of the item.',
      `"${nobody}" is at an address that the plugin may not fetch.`,
      'an external track needs a uri or a text.',
      'a track has a uri or a text, not both.',
      'format "vobsub" is not one of srt,',
      'mediaFileUri is not a media file of the item',
    ])
      expect(log).toContain(why);
  });

  test('is not fetched from a host to which a granted one redirects', async () => {
    const [away] = await give('One', [{ ...fetched(), uri: `http://${web.host}/away` }]);

    const [status, body] = await play(away?.url);

    expect([status, body.includes('127.0.0.1:1')]).toEqual([404, false]);
  });

  test('is refused with the reason beyond the twentieth', async () => {
    const many = Array.from({ length: 21 }, (_, n) => ({ ...itself, text: srt(`Line ${n}`) }));

    expect(await give('One', many)).toHaveLength(20);
    expect(await refusals()).toContain('an item has at most 20 tracks that plugins give.');
  });

  test('that is too long is refused as a part of the delta', async () => {
    const tracks = await give('One', [{ ...itself, length: 1_048_577 }]);

    expect([tracks, await refusals()]).toEqual([[], expect.stringMatching(/subtitles.*1048576/)]);
  });

  test('is not there for those who do not see its item', async () => {
    const [secret] = await give('Secret', [itself]);

    expect((await play(secret?.url))[0]).toBe(200);
    expect((await play(secret?.url, childToken))[0]).toBe(404);
  });

  test('is the lyrics of a song', async () => {
    await give('Song', [{ format: 'lrc', text: '[00:01.00]La la\n[00:02.00]La\n' }]);

    expect(await server.get(`/api/items/${ids['Song']}/lyrics`)).toMatchObject({
      synced: true,
      lines: [
        { startMs: 1000, text: 'La la' },
        { startMs: 2000, text: 'La' },
      ],
    });
  });

  test('goes with the grant that it needs, and comes back with it', async () => {
    const languages = async () => (await tracksOf('One')).map(({ language }) => language);
    const tracks = await give('One', [own, fetched(), itself]);
    await grant({ net: undefined });
    expect(await languages()).toEqual(['en', 'fr']);
    expect((await play(tracks[1]?.url))[0]).toBe(404);

    await grant({ metadata: undefined });
    expect(await languages()).toEqual([]);
    for (const { url } of tracks) expect((await play(url))[0]).toBe(404);

    await grant({});
    expect(await languages()).toEqual(['en', 'de', 'fr']);
  });

  test('goes with its plugin', async () => {
    const tracks = await tracksOf('One');
    expect((await server.request('DELETE', at)).status).toBe(204);

    expect(await tracksOf('One')).toEqual([]);
    for (const { url } of tracks) expect((await play(url))[0]).toBe(404);
  });
});
