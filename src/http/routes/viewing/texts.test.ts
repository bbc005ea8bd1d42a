import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { builtDiskWorker } from '../../../../test/support/run/disk-worker.ts';
import { bearer, createTestApp, testViewers } from '../../../../test/support/servers/http.ts';
import type { EmbeddedTextInput, TextInput } from '../../../../plugin-api/index.ts';
import { KernelError, silentLog } from '../../../../kernel/index.ts';
import { AppError } from '../../../platform/errors.ts';
import { createDisk, encodePlainPath, type Disk } from '../../../files/disk/index.ts';
import { createFilesystems } from '../../../files/filesystems/index.ts';
import type { Files, ItemDetail, Items } from '../../../library/catalogue/index.ts';
import { createDiskCache } from '../../../platform/net/index.ts';
import {
  createEmbeddedTexts,
  createTextConversion,
  Texts,
} from '../../../viewing/streaming/index.ts';
import type { Viewer } from '../../../people/viewer/index.ts';
import { mount, type HttpApp } from '../../http-app.ts';
import { textRoutes } from './texts.ts';

type PlacedTrack = Awaited<ReturnType<Files['text']>>['tracks'][number];

let top: string;
let disk: Disk;
let app: HttpApp;
let texts: Texts;
/** What the plugin with the capability `texts` was asked for. */
let asked: string[];
/** What plugins named on the network. */
let fetched: string[];
/** What is kept of it, by key. */
const kept = new Map<string, Uint8Array>();
let plugins: string[];
/** Of what the plugins answer. */
let answersVersion = 1;
/** The time, in milliseconds. */
let now: number;
/** The metadata of the item that is asked for. */
let metadata: Record<string, unknown>;

const put = (name: string, content: string): void => writeFileSync(path.join(top, name), content);
const uriOf = (name: string): string => `file://${encodePlainPath(`${top}/library/${name}`)}`;

/** Converts any text, but no bomb; a text with the word `crash` ends the plugin. */
async function callTexts(_pluginId: string, method: string, input: unknown): Promise<unknown> {
  const { source, to, format, frameRate } = input as TextInput;
  const name = source.uri === null ? 'text' : path.basename(source.uri);
  asked.push([method, name, to, format, frameRate].filter((one) => one != null).join(' '));
  if (name.includes('crash')) throw new KernelError('plugin_failed', 'It crashed.');
  if (name.includes('bomb')) {
    return { kind: 'failed', code: 'over-budget', message: 'The text has 200000000 bytes.' };
  }
  if (name.includes('liar')) return new TextEncoder().encode('<script>');
  if (method === 'texts.lyrics') {
    return { kind: 'made', synced: true, lines: [{ startMs: 1000, text: 'La' }] };
  }
  return new TextEncoder().encode(to === 'vtt' ? 'WEBVTT\n\nmade' : '[Script Info]\n');
}

/** Two probes: the first knows nothing of texts, the second has what stands in the file's name. */
async function callProbe(pluginId: string, method: string, input: unknown): Promise<unknown> {
  const { file, part } = input as EmbeddedTextInput;
  asked.push(`${pluginId} ${method} ${path.basename(file.uri)} ${part ?? ''}`.trim());
  if (pluginId === 'first') throw new KernelError('plugin_failed', 'unknown handler');
  if (method === 'probe.fonts') {
    const font = (name: string, offset: number, length: number) => ({ name, offset, length });
    return { fonts: [font('A.otf', 4, 8), font('beyond.ttf', 4, 900), font('no font', 0, 8)] };
  }
  if (part === 9) return { kind: 'failed', code: 'over-budget', message: 'It has no index.' };
  if (part === 6) return { kind: 'failed', code: 'malformed', message: 'No picture.' };
  if (part === 8) return { kind: 'failed', code: 'unreadable', message: 'The disk is away.' };
  if (part === 7) throw new KernelError('plugin_failed', 'It took too long.');
  return new TextEncoder().encode('embedded');
}

const streamOf = (index: number): PlacedTrack => ({
  ...trackOf(`s${index}`, ''),
  place: { kind: 'stream', index },
});

function trackOf(id: string, uri: string): PlacedTrack {
  return {
    track: {
      id,
      kind: id === 'lrc' ? 'lyrics' : 'subtitle',
      format: id === 'lrc' ? 'lrc' : 'srt',
      language: 'en',
      title: null,
      isForced: false,
      isSdh: false,
      isDefault: false,
      url: `/api/files/film/text/${id}.vtt`,
    },
    place: { kind: 'file', uri },
  };
}

const givenTexts = {
  hashOf: async (_itemNo: number, key: string) => (kept.has(key) ? `hash of ${key}` : undefined),
  read: async (_itemNo: number, key: string) => kept.get(key),
  keep: async ({ key, bytes }: { readonly key: string; readonly bytes: Uint8Array }) =>
    void kept.set(key, bytes),
};

const ofWeb: PlacedTrack = {
  ...trackOf('web', ''),
  place: { kind: 'web', uri: 'https://a.example/1.srt', pluginId: 'giver', key: 'k' },
};

/** A film for all, and a file that guests of films may not see. */
const files: Pick<Files, 'text'> = {
  text: async (id, { visibility }) => {
    if (visibility.libraries && id !== 'film') {
      throw new AppError('not_found', { what: `File ${id}` });
    }
    const names = ['film', 'bomb', 'crash', 'liar', 'link', 'gone'];
    const beside = names.map((name) => trackOf(name, uriOf(`${name}.srt`)));
    return {
      file: {
        id,
        ...(id === 'tagged'
          ? { uri: uriOf('tagged.mp3'), extension: 'mp3', mimeType: 'audio/mpeg' }
          : { uri: uriOf('film.mkv'), extension: 'mkv', mimeType: 'video/x-matroska' }),
        filename: 'film.mkv',
        frameRate: 25,
        itemNo: 1,
        ...{ size: 1, modifiedAt: 1 },
      },
      roots: [`file://${encodePlainPath(`${top}/library`)}`],
      tracks:
        id === 'song'
          ? [trackOf('lrc', uriOf('song.lrc'))]
          : [...beside, ofWeb, ...[2, 7, 8, 9].map(streamOf)],
      pictures: [],
    };
  },
};

const items: Pick<Items, 'get'> = {
  get: async (id, { visibility }) => {
    if (visibility.libraries) throw new AppError('not_found', { what: `Item ${id}` });
    return { files: [{ id, type: 'media', status: 'active' }], metadata } as unknown as ItemDetail;
  },
};

beforeAll(async () => {
  top = mkdtempSync(path.join(tmpdir(), 'vitrine texts-'));
  mkdirSync(path.join(top, 'library'));
  disk = createDisk({
    grantedRoots: () => [encodePlainPath(top)],
    workerScript: builtDiskWorker,
    watchTree: () => Promise.reject(new Error('unused')),
    newEpoch: () => 'e',
    log: silentLog,
  });
  const filesystems = createFilesystems({
    call: async (_pluginId, method, input) => {
      const { uri } = input as { readonly uri: string };
      return method === 'filesystem.getLocalPath' ? { path: uri.slice('file://'.length) } : null;
    },
    filesystemFor: (scheme) => scheme,
    hasLocalFiles: (pluginId) => pluginId === 'file',
    roots: () => [`file://${encodePlainPath(top)}`],
    disk,
  });
  const cache = createDiskCache({ folder: `${top}/cache`, maxBytes: 10_000_000, log: silentLog });
  const convert = createTextConversion({
    call: callTexts,
    providers: () => plugins,
    answersVersionOf: () => answersVersion,
    cache,
    clock: { now: () => now, after: () => () => undefined },
  });
  const embedded = createEmbeddedTexts({
    call: callProbe,
    providers: () => ['first', 'second'],
    capabilityConfigOf: () => ({ probe: { extensions: ['mkv', 'mp3'] } }),
  });
  texts = new Texts({
    ...{ files, items, filesystems, convert, embedded, givenTexts },
    fetchText: async ({ url, pluginId }) => {
      fetched.push(`${pluginId} ${url}`);
      return new TextEncoder().encode('from the web');
    },
  });
  app = await createTestApp([mount(textRoutes, { texts })]);
  for (const name of ['film', 'bomb', 'crash', 'liar']) put(`library/${name}.srt`, name);
  put('library/song.lrc', 'song');
  put('library/tagged.mp3', 'sound');
  put('library/film.mkv', 'headOTTOfontrest');
  put('secret.srt', 'secret');
  symlinkSync(path.join(top, 'secret.srt'), path.join(top, 'library/link.srt'));
});

afterAll(async () => {
  await app.close();
  await disk.close();
  rmSync(top, { recursive: true, force: true });
});

beforeEach(() => {
  asked = [];
  fetched = [];
  plugins = ['texts'];
  answersVersion = 1;
  metadata = {};
  now = 0;
});

const ask = (url: string, headers: Record<string, string> = {}, role = 'guest') =>
  app.inject({ url, headers: { ...bearer(role), ...headers } });

describe('GET /api/files/:id/text/:track', () => {
  test('converts a track once, and keeps it until its file changes', async () => {
    const reply = await ask('/api/files/film/text/film.vtt');
    const again = await ask('/api/files/film/text/film.vtt');
    const { etag } = reply.headers;
    const known = await ask('/api/files/film/text/film.vtt', { 'if-none-match': String(etag) });

    expect([reply.statusCode, reply.body]).toEqual([200, 'WEBVTT\n\nmade']);
    expect(reply.headers).toMatchObject({
      'content-type': 'text/vtt; charset=utf-8',
      'cache-control': 'private, no-cache',
      'content-security-policy': expect.stringContaining("default-src 'none'"),
      'content-length': '12',
    });
    expect(again.body).toBe(reply.body);
    expect(known.statusCode).toBe(304);
    expect(asked).toEqual(['texts.convert film.srt vtt srt 25']);

    put('library/film.srt', 'another text');
    const changed = await ask('/api/files/film/text/film.vtt');

    expect(changed.headers.etag).not.toBe(etag);
    expect(asked).toHaveLength(2);
  });

  test('converts a track again once the plugin answers in a higher version', async () => {
    const url = '/api/files/film/text/film.vtt';
    await ask(url);
    plugins = [];
    const kept = await ask(url);
    plugins = ['texts'];
    answersVersion = 2;
    asked = [];
    await ask(url);
    await ask(url);

    expect(kept.statusCode).toBe(200);
    expect(asked).toHaveLength(1);
  });

  test('answers HEAD with the headers of the track', async () => {
    const url = '/api/files/film/text/film.vtt';
    const head = await app.inject({ method: 'HEAD', url, headers: bearer('guest') });

    expect([head.statusCode, head.body]).toEqual([200, '']);
    expect(head.headers).toMatchObject({
      'content-type': 'text/vtt; charset=utf-8',
      'content-length': '12',
    });
  });

  test('shares one answer among concurrent requests', async () => {
    put('library/film.srt', 'a third text');

    await Promise.all([1, 2, 3].map(() => ask('/api/files/film/text/film.vtt')));

    expect(asked).toHaveLength(1);
  });

  test('converts a text that a probe reads in the file, and keeps it', async () => {
    const reply = await ask('/api/files/film/text/s2.vtt');
    await ask('/api/files/film/text/s2.vtt');

    expect(reply.statusCode).toBe(200);
    expect(asked).toEqual([
      'first probe.text film.mkv 2',
      'second probe.text film.mkv 2',
      'texts.convert film.mkv vtt srt 25',
    ]);
  });

  test('answers 422 with the reason when the probe finds no text in the bounds', async () => {
    expect((await ask('/api/files/film/text/s9.vtt')).json()).toEqual({
      error: 'The text cannot be shown. It has no index.',
      code: 'text_refused',
    });
  });

  test('answers 503 for a text that cannot be read now, and tries it again', async () => {
    const reply = await ask('/api/files/film/text/s8.vtt');
    await ask('/api/files/film/text/s8.vtt');

    expect([reply.statusCode, reply.json()]).toEqual([
      503,
      { error: 'The text cannot be read now. The disk is away.' },
    ]);
    expect(asked).toHaveLength(4);
  });

  test('fetches a text of the network once, for every form that is asked for', async () => {
    const reply = await ask('/api/files/film/text/web.vtt');
    const ass = await ask('/api/files/film/text/web.ass');

    expect([reply.statusCode, ass.statusCode]).toEqual([200, 200]);
    expect(fetched).toEqual(['giver https://a.example/1.srt']);
  });

  test('sends ASS as plain text', async () => {
    const reply = await ask('/api/files/film/text/film.ass');

    expect([reply.headers['content-type'], reply.body]).toEqual([
      'text/plain; charset=utf-8',
      '[Script Info]\n',
    ]);
  });

  test.each([
    ['a text beyond the limits', 'bomb', 'The text has 200000000 bytes.'],
    ['a text on which the plugin crashes', 'crash', 'Converting it failed.'],
    ['an answer that is not WebVTT', 'liar', 'Converting it failed.'],
  ])('answers 422 with the reason for %s, and does not try it again', async (_, track, why) => {
    const reply = await ask(`/api/files/film/text/${track}.vtt`);
    const again = await ask(`/api/files/film/text/${track}.vtt`);

    for (const { statusCode, json } of [reply, again]) {
      expect([statusCode, json()]).toEqual([
        422,
        { error: `The text cannot be shown. ${why}`, code: 'text_refused' },
      ]);
    }
    expect(asked).toHaveLength(1);
  });

  test('keeps that a plugin failed or took too long for an hour, since the machine may have been busy', async () => {
    const tracks = ['s7', 's9', 'liar'];
    const all = async () => {
      asked = [];
      for (const track of tracks) {
        const { statusCode } = await ask(`/api/files/film/text/${track}.vtt`);
        expect(statusCode).toBe(422);
      }
      return asked.filter((call) => !call.startsWith('first'));
    };
    await all();

    now = 3_599_999;
    expect(await all()).toEqual([]);
    now = 3_600_000;
    expect(await all()).toEqual([
      'second probe.text film.mkv 7',
      'second probe.text film.mkv 9',
      'texts.convert liar.srt vtt srt 25',
    ]);
  });

  test('answers 422 while no plugin converts texts', async () => {
    plugins = [];
    put('library/film.srt', 'a fourth text');

    expect((await ask('/api/files/film/text/film.vtt')).json()).toEqual({
      error: 'The text cannot be shown. No plugin with the capability "texts" runs.',
      code: 'text_refused',
    });
  });

  test.each([
    ['a track that the file does not have', 'other.vtt', 404],
    ['a track whose file is gone', 'gone.vtt', 404],
    ['a track that a link leads out of the library', 'link.vtt', 404],
    ['another form', 'film.srt', 400],
    ['a path', '..%2ffilm.vtt', 400],
  ])('is refused for %s', async (_, track, status) => {
    const reply = await ask(`/api/files/film/text/${track}`);

    expect(reply.statusCode).toBe(status);
    expect(reply.body).not.toContain(top);
    expect(asked).toEqual([]);
  });

  test('is 404 for a file that the viewer may not see', async () => {
    expect((await ask('/api/files/other/text/film.vtt', {}, 'guest-of-films')).statusCode).toBe(
      404,
    );
    expect((await app.inject('/api/files/film/text/film.vtt')).statusCode).toBe(401);
  });
});

describe('subtitles that are pictures', () => {
  const openPictures = (part: number) =>
    texts.openPictures(
      { fileId: 'film', of: part, from: 0, shiftMs: 0 },
      testViewers['guest'] as Viewer,
      { isHead: false },
    );

  test.each([
    ['a fault of the file', 6, 'text_refused', 'The text cannot be shown. No picture.'],
    ['a plugin that failed', 7, 'unavailable', 'The text cannot be read now. Reading it failed.'],
    ['a file that is away', 8, 'unavailable', 'The text cannot be read now. The disk is away.'],
    ['a search that took long', 9, 'unavailable', 'The text cannot be read now. It has no index.'],
  ])('are refused for good only for a fault of the file: %s', async (_, part, code, message) => {
    await expect(openPictures(part)).rejects.toMatchObject({ code, message });
  });
});

describe('GET /api/files/:id/fonts', () => {
  test('lists fonts within the file, and sends their bytes with a type by them', async () => {
    const list = await ask('/api/files/film/fonts');
    const font = await ask('/api/files/film/fonts/0');
    const { etag } = font.headers;
    const known = await ask('/api/files/film/fonts/0', { 'if-none-match': String(etag) });

    expect(list.json()).toEqual({
      fonts: [
        { name: 'A.otf', size: 8, url: '/api/files/film/fonts/0' },
        { name: 'no font', size: 8, url: '/api/files/film/fonts/1' },
      ],
    });
    expect([font.headers['content-type'], font.body]).toEqual(['font/otf', 'OTTOfont']);
    expect(known.statusCode).toBe(304);
    expect((await ask('/api/files/film/fonts/1')).json()).toMatchObject({ code: 'no_text' });
    expect((await ask('/api/files/film/fonts/7')).statusCode).toBe(404);
    expect((await ask('/api/files/other/fonts/0', {}, 'guest-of-films')).statusCode).toBe(404);
  });
});

describe('GET /api/items/:id/lyrics', () => {
  test('answers the lines of the lyrics beside the file', async () => {
    const reply = await ask('/api/items/song/lyrics');

    expect(reply.json()).toEqual({ synced: true, lines: [{ startMs: 1000, text: 'La' }] });
    expect(asked).toEqual(['texts.lyrics song.lrc']);
  });

  test('answers the lyrics in the tags of the file', async () => {
    expect((await ask('/api/items/tagged/lyrics')).statusCode).toBe(200);
    expect(asked).toEqual([
      'first probe.text tagged.mp3 lyrics',
      'second probe.text tagged.mp3 lyrics',
      'texts.lyrics tagged.mp3',
    ]);
  });

  test('answers the lyrics that the item has as metadata', async () => {
    metadata = { lyrics: 'La la' };

    expect((await ask('/api/items/other/lyrics')).statusCode).toBe(200);
    expect(asked).toEqual(['texts.lyrics text']);
  });

  test('is 404 with a reason for an item without lyrics, and for one that is not visible', async () => {
    const reply = await ask('/api/items/other/lyrics');

    expect([reply.statusCode, reply.json()]).toEqual([
      404,
      { error: 'Item other has no lyrics.', code: 'no_text' },
    ]);
    expect((await ask('/api/items/song/lyrics', {}, 'guest-of-films')).statusCode).toBe(404);
  });
});
