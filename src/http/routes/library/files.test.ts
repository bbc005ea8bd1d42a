import type { Viewer } from '../../../people/viewer/index.ts';
import {
  mkdtempSync,
  readdirSync,
  readlinkSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { get as httpGet, type IncomingMessage } from 'node:http';
import { connect, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { builtDiskWorker } from '../../../../test/support/run/disk-worker.ts';
import { bearer, createTestApp } from '../../../../test/support/servers/http.ts';
import { eventually } from '../../../../test/support/eventually.ts';
import { testReferences } from '../../../../test/support/library/references.ts';
import type { PictureInput } from '../../../../plugin-api/index.ts';
import { KernelError, silentLog } from '../../../../kernel/index.ts';
import { systemClock } from '../../../platform/clock.ts';
import { createDisk, encodePlainPath, type Disk } from '../../../files/disk/index.ts';
import { AppError } from '../../../platform/errors.ts';
import { createFilesystems } from '../../../files/filesystems/index.ts';
import type { Files } from '../../../library/catalogue/index.ts';
import { createDiskCache } from '../../../platform/net/index.ts';
import {
  createArtwork,
  createAssets,
  createSizedPictures,
  createStreams,
} from '../../../viewing/streaming/index.ts';
import { mount, type HttpApp } from '../../http-app.ts';
import { fileRoutes } from './files.ts';
import type { LibraryFile } from '../../../contract/resources/library/catalogue.ts';

let top: string;
let disk: Disk;
let app: HttpApp;
let seen: Map<string, string>;
let probed: string[];
/** What the plugin with the capability `pictures` was asked for. */
let made: string[];
let makers: string[];
/** Of the answers of all plugins. */
let answersVersion: number;

const png = '\x89PNG\r\n\x1a\n';
const jpeg = '\xff\xd8\xff';

/** Where assets are that lie elsewhere than in a file of their name. */
const assetUris: Record<string, string> = {
  web: 'https://pictures.example/poster.png',
  get cover() {
    return `${uriOf('song.mp3')}#artwork=1`;
  },
  get none() {
    return `${uriOf('song.mp3')}#artwork=9`;
  },
  get page() {
    return `${uriOf('song.mp3')}#artwork=7`;
  },
  get film() {
    return `${uriOf('film.mp4')}#artwork=0`;
  },
};

/** Makes a WebP, or a JPEG; of a picture with the word `bomb` in it none. */
async function callMaker(_pluginId: string, _method: string, input: unknown): Promise<unknown> {
  const { source, width, format } = input as PictureInput;
  made.push(`${format} ${width}`);
  const content = Buffer.from(source.base64 ?? '', 'base64').toString('latin1');
  if (content.includes('crash')) throw new KernelError('plugin_failed', 'It crashed.');
  if (content.includes('bomb')) {
    return { kind: 'failed', code: 'over-budget', message: 'It is too large.' };
  }
  const bytes = format === 'jpeg' ? `${jpeg}small` : 'RIFF\0\0\0\0WEBPsmall';
  return {
    kind: 'made',
    source: { width: 600, height: 900 },
    width,
    height: (width * 3) / 2,
    base64: Buffer.from(bytes, 'latin1').toString('base64'),
    color: '#102030',
    thumbhash: 'YTkGJwaRhWUIt4lbgnhZl3ath2BUBGYA',
  };
}

/** Two probes: the first knows no song, the second cuts a picture, or gives a page. */
async function callProbe(pluginId: string, method: string, input: unknown): Promise<unknown> {
  const { file, index } = input as { file: { extension: string }; index: number };
  probed.push(`${pluginId} ${method} ${file.extension} ${index}`);
  const fails = pluginId === 'first' || index > 8;
  if (fails) throw new KernelError('plugin_failed', 'unsupported');
  return Buffer.from(index === 7 ? '<svg onload="alert(1)">' : `${jpeg} cover`, 'latin1');
}

beforeEach(async () => {
  top = mkdtempSync(path.join(tmpdir(), 'vitrine stream-'));
  disk = createDisk({
    grantedRoots: () => [encodePlainPath(top)],
    workerScript: builtDiskWorker,
    watchTree: () => Promise.reject(new Error('unused')),
    newEpoch: () => 'e',
    log: silentLog,
  });
  const filesystems = createFilesystems({
    call: async (_pluginId, method, input) => callPlugin(method, input),
    filesystemFor: (scheme) => scheme,
    hasLocalFiles: (pluginId) => pluginId === 'file',
    roots: () => [`file://${encodePlainPath(top)}`, 'mem://shelf'],
    disk,
  });
  const openAsset = createAssets({
    files,
    filesystems,
    still: () => Promise.reject(new Error('no stills')),
    artwork: createArtwork({
      call: callProbe,
      providers: () => ['first', 'second'],
      capabilityConfigOf: () => ({ probe: { extensions: ['mp3'] } }),
      answersVersionOf: () => answersVersion,
      filesystems,
      cache: createDiskCache({ folder: `${top}/cache`, maxBytes: 10_000_000, log: silentLog }),
      clock: systemClock,
    }),
    fetchPicture: async ({ url, pluginId }) => ({
      mimeType: 'image/png',
      bytes: Buffer.from(`${png}${pluginId} ${url}`, 'latin1'),
    }),
    sizedPictures: createSizedPictures({
      call: callMaker,
      providers: () => makers,
      answersVersionOf: () => answersVersion,
      cache: createDiskCache({ folder: `${top}/pictures`, maxBytes: 10_000_000, log: silentLog }),
      clock: systemClock,
    }),
    looks: { remember: async (uri, { color }) => void seen.set(uri, color) },
  });
  probed = [];
  seen = new Map();
  made = [];
  makers = ['maker'];
  answersVersion = 1;
  app = await createTestApp([
    mount(fileRoutes, { streams: createStreams({ files, filesystems, openAsset }) }),
  ]);
});

afterEach(async () => {
  await app.close();
  await disk.close();
  rmSync(top, { recursive: true, force: true });
});

const shelf = Buffer.from('0123456789');

/** A plugin that serves both the disk and ten bytes of its own. */
function callPlugin(method: string, input: unknown): unknown {
  const {
    uri,
    offset = 0,
    length = 0,
  } = input as { uri: string; offset?: number; length?: number };
  if (method === 'filesystem.getLocalPath') return { path: uri.slice('file://'.length) };
  if (method === 'filesystem.stat') return { uri, kind: 'file', size: sizeOf(uri), modifiedAt: 0 };
  if (uri.endsWith('broken')) throw new KernelError('plugin_failed', 'It broke.');
  return new Uint8Array(shelf.subarray(offset, offset + length));
}

const sizeOf = (uri: string): number =>
  uri.startsWith('file://')
    ? statSync(decodeURIComponent(new URL(uri).pathname)).size
    : shelf.length;

/** The library: a file for each name on the disk, for the guest of films `film.mp4` alone. */
const files: Omit<Files, 'text'> = {
  get: async (id: string, viewer: Viewer) => {
    if (viewer.visibility.libraries && id !== 'film.mp4')
      throw new AppError('not_found', { what: `File ${id}` });
    return libraryFile(id, id.startsWith('mem-') ? `mem://shelf/${id}` : uriOf(id));
  },
  content: async (id: string, viewer: Viewer) => ({
    ...(await files.get(id, viewer)),
    roots: id.startsWith('mem-') ? ['mem://shelf'] : [`file://${encodePlainPath(top)}`],
  }),
  asset: async (id: string) => {
    if (id === 'hidden') throw new AppError('not_found', { what: `Asset ${id}` });
    const uri = assetUris[id] ?? uriOf(id);
    const roots = [`file://${encodePlainPath(top)}`];
    const place = testReferences().checkReference({ pluginId: 'indexer', uri, roots });
    if (place.kind === 'refused') throw new Error(place.why);
    return { id, mimeType: 'image/svg+xml', uri, place };
  },
};

const uriOf = (name: string): string => `file://${encodePlainPath(`${top}/${name}`)}`;

function libraryFile(id: string, uri: string): LibraryFile {
  const time = '2026-01-01T00:00:00.000Z';
  return {
    id,
    uri,
    libraryId: 'films',
    itemId: 'item',
    filename: id,
    extension: 'mp4',
    mimeType: 'video/mp4',
    mediaKind: 'video',
    type: 'media',
    status: 'active',
    classification: 'primary',
    edition: null,
    partNumber: null,
    size: 10,
    duration: null,
    fileInfo: {},
    assets: {},
    assetAspects: {},
    chapters: [],
    text: [],
    loudness: null,
    createdAt: time,
    updatedAt: time,
  };
}

const put = (name: string, content: string): void => writeFileSync(`${top}/${name}`, content);

async function ask(
  headers: Record<string, string> = {},
  { method = 'GET', id = 'film.mp4', role = 'guest' } = {},
) {
  return app.inject({
    method,
    url: `/api/files/${id}/stream`,
    headers: { ...bearer(role), ...headers },
  });
}

describe('GET /api/files/:id', () => {
  test('answers {file}', async () => {
    const reply = await app.inject({ url: '/api/files/film.mp4', headers: bearer('guest') });

    expect(reply.json()).toEqual({ file: libraryFile('film.mp4', uriOf('film.mp4')) });
  });

  test('answers 404 for a file that the viewer may not see', async () => {
    const reply = await app.inject({ url: '/api/files/other', headers: bearer('guest-of-films') });

    expect(reply.statusCode).toBe(404);
    expect((await ask({}, { id: 'other', role: 'guest-of-films' })).statusCode).toBe(404);
  });
});

describe('GET /api/files/:id/stream', () => {
  beforeEach(() => put('film.mp4', '0123456789'));

  test('sends the whole file with its type, length, name and version', async () => {
    const reply = await ask();

    expect(reply.statusCode).toBe(200);
    expect(reply.body).toBe('0123456789');
    expect(reply.headers).toMatchObject({
      'content-type': 'video/mp4',
      'content-length': '10',
      'accept-ranges': 'bytes',
      'content-disposition': expect.stringMatching(/^inline; filename="film.mp4"/),
      'x-content-type-options': 'nosniff',
      etag: expect.stringMatching(/^"[^"]+"$/),
      'last-modified': expect.stringMatching(/GMT$/),
    });
  });

  test.each([
    ['bytes=2-4', '234', 'bytes 2-4/10'],
    ['bytes=7-', '789', 'bytes 7-9/10'],
    ['bytes=-2', '89', 'bytes 8-9/10'],
    ['bytes=0-999', '0123456789', 'bytes 0-9/10'],
  ])('sends the part %s as 206', async (range, body, contentRange) => {
    const reply = await ask({ range });

    expect(reply.statusCode).toBe(206);
    expect(reply.body).toBe(body);
    expect(reply.headers).toMatchObject({
      'content-range': contentRange,
      'content-length': String(body.length),
    });
  });

  test('answers 416 with the size for a range after the end', async () => {
    const reply = await ask({ range: 'bytes=10-' });

    expect(reply.statusCode).toBe(416);
    expect(reply.headers['content-range']).toBe('bytes */10');
    expect(reply.json()).toEqual({ error: expect.any(String) });
  });

  test('sends the whole file for several ranges', async () => {
    const reply = await ask({ range: 'bytes=0-1,4-5' });

    expect([reply.statusCode, reply.body]).toEqual([200, '0123456789']);
  });

  test('sends the part only if the client has the same version, else the whole file', async () => {
    const { etag, 'last-modified': time } = (await ask()).headers;
    const status = async (ifRange: unknown) =>
      (await ask({ range: 'bytes=0-1', 'if-range': String(ifRange) })).statusCode;

    expect(await status(etag)).toBe(206);
    expect(await status(time)).toBe(206);
    expect(await status('"older"')).toBe(200);
    expect(await status(`W/${String(etag)}`)).toBe(200);
    expect(await status('Thu, 01 Jan 1970 00:00:00 GMT')).toBe(200);
  });

  test('answers 304 when the client has this version, and not when the file has changed', async () => {
    const { etag, 'last-modified': time } = (await ask()).headers;
    const fresh = await ask({ 'if-none-match': `"x", W/${String(etag)}` });

    expect([fresh.statusCode, fresh.body, fresh.headers.etag]).toEqual([304, '', etag]);
    expect((await ask({ 'if-modified-since': String(time) })).statusCode).toBe(304);
    put('film.mp4', 'another');
    expect((await ask({ 'if-none-match': String(etag) })).statusCode).toBe(200);
  });

  test('answers HEAD with the same headers and no body', async () => {
    const reply = await ask({ range: 'bytes=0-1' }, { method: 'HEAD' });

    expect([reply.statusCode, reply.body]).toEqual([200, '']);
    expect(reply.headers).toMatchObject({ 'content-length': '10', 'content-type': 'video/mp4' });
  });

  test('sends an empty file', async () => {
    put('film.mp4', '');
    const reply = await ask();

    expect([reply.statusCode, reply.headers['content-length']]).toEqual([200, '0']);
  });

  test('answers 404 for a file that has vanished from the disk', async () => {
    rmSync(`${top}/film.mp4`);
    const reply = await ask();

    expect(reply.statusCode).toBe(404);
    expect(reply.body).not.toContain(top);
    expect((await ask({}, { method: 'HEAD' })).statusCode).toBe(404);
  });

  test('streams a file that is on no local disk, by ranges through its plugin', async () => {
    const reply = await ask({ range: 'bytes=3-' }, { id: 'mem-film' });

    expect([reply.statusCode, reply.body]).toEqual([206, '3456789']);
  });

  test('answers 502 when the plugin fails before the first byte', async () => {
    const reply = await ask({}, { id: 'mem-broken' });

    expect(reply.statusCode).toBe(502);
    expect(reply.json()).toMatchObject({ code: 'plugin_failed' });
  });

  test('is refused without a credential', async () => {
    expect((await app.inject({ url: '/api/files/film.mp4/stream' })).statusCode).toBe(401);
  });
});

describe('GET /api/assets/:id?width', () => {
  const askSized = (query: string, headers: Record<string, string> = {}, id = 'poster.png') =>
    app.inject({ url: `/api/assets/${id}?${query}`, headers: { ...bearer('guest'), ...headers } });
  const put = (content: string, name = 'poster.png'): void =>
    writeFileSync(`${top}/${name}`, Buffer.from(`${png}${content}`, 'latin1'));

  test('makes a picture once, and keeps it until its source changes', async () => {
    put('large');

    const reply = await askSized('width=320&format=webp');
    const again = await askSized('width=320&format=webp');
    const known = await askSized('width=320&format=webp', {
      'if-none-match': String(reply.headers.etag),
    });

    expect(reply.headers).toMatchObject({
      'content-type': 'image/webp',
      'cache-control': 'private, max-age=86400, immutable',
      'picture-color': '#102030',
      'picture-thumbhash': 'YTkGJwaRhWUIt4lbgnhZl3ath2BUBGYA',
    });
    expect(again.rawPayload).toEqual(reply.rawPayload);
    expect(known.statusCode).toBe(304);
    expect(made).toEqual(['webp 320']);
    expect([...seen]).toEqual([[uriOf('poster.png'), '#102030']]);

    put('larger than before');
    const changed = await askSized('width=320&format=webp');

    expect(changed.headers.etag).not.toBe(reply.headers.etag);
    expect(made).toHaveLength(2);
  });

  test('makes it again for a browser that has it from an older version of the plugin', async () => {
    put('large');
    const { etag } = (await askSized('width=320&format=webp')).headers;
    answersVersion = 2;

    const reply = await askSized('width=320&format=webp', { 'if-none-match': String(etag) });

    expect(reply.statusCode).toBe(200);
    expect(made).toHaveLength(2);
  });

  test('shares one answer among concurrent requests', async () => {
    put('large');

    await Promise.all([1, 2, 3].map(() => askSized('width=160&format=webp')));

    expect(made).toEqual(['webp 160']);
  });

  test('gives WebP to clients that name it, and JPEG to others', async () => {
    put('large');

    const modern = await askSized('width=160', { accept: 'image/avif,image/webp,*/*' });
    const old = await askSized('width=160', { accept: '*/*' });

    expect([modern, old].map(({ headers }) => headers['content-type'])).toEqual([
      'image/webp',
      'image/jpeg',
    ]);
    expect(old.headers.vary).toContain('Accept');
  });

  test.each([
    ['bomb', 'It is too large.'],
    ['crash', 'Decoding it failed.'],
  ])('refuses a picture that cannot be made, and tries it once: %s', async (content, why) => {
    put(content);

    const replies = [await askSized('width=160'), await askSized('width=160')];

    for (const reply of replies) {
      expect([reply.statusCode, reply.json()]).toEqual([
        422,
        { error: `The picture cannot be used. ${why}`, code: 'picture_refused' },
      ]);
    }
    expect(made).toHaveLength(1);
  });

  test('sends the picture as it is stored while no plugin makes pictures', async () => {
    put('large');
    makers = [];

    const reply = await askSized('width=160');

    expect(reply.rawPayload.toString('latin1')).toBe(`${png}large`);
  });

  test('cuts pictures out of media and fetches them from the network before it makes them', async () => {
    writeFileSync(`${top}/song.mp3`, 'song');

    const replies = [
      await askSized('width=160', {}, 'cover'),
      await askSized('width=160', {}, 'web'),
    ];

    expect(replies.map(({ statusCode }) => statusCode)).toEqual([200, 200]);
    expect(made).toHaveLength(2);
  });

  test.each(['width=200', 'width=0', 'format=tiff'])('refuses %s', async (query) => {
    expect((await askSized(query)).statusCode).toBe(400);
  });
});

describe('GET /api/assets/:id', () => {
  const askAsset = (id: string, headers: Record<string, string> = {}) =>
    app.inject({ url: `/api/assets/${id}`, headers: { ...bearer('guest'), ...headers } });
  const putPicture = (name: string, bytes: string): void =>
    writeFileSync(`${top}/${name}`, Buffer.from(bytes, 'latin1'));

  test('sends a picture that lies beside the media, with the type of its bytes, not of its name', async () => {
    putPicture('poster.svg', `${png} picture`);

    const reply = await askAsset('poster.svg');

    expect(reply.rawPayload.toString('latin1')).toBe(`${png} picture`);
    expect(reply.headers).toMatchObject({
      'content-type': 'image/png',
      'x-content-type-options': 'nosniff',
      'cache-control': 'private, max-age=3600, immutable',
    });
    const again = await askAsset('poster.svg', { 'if-none-match': String(reply.headers.etag) });
    expect([again.statusCode, again.body]).toEqual([304, '']);
  });

  test('answers HEAD with the headers of a picture', async () => {
    putPicture('poster.svg', `${png} picture`);
    const url = '/api/assets/poster.svg';

    const { headers } = await app.inject({ url, headers: bearer('guest') });
    const head = await app.inject({ method: 'HEAD', url, headers: bearer('guest') });

    expect([head.statusCode, head.body]).toEqual([200, '']);
    for (const name of ['content-length', 'content-type', 'etag', 'cache-control'])
      expect([name, head.headers[name]]).toEqual([name, headers[name]]);
  });

  test.each([
    ['SVG', '<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"/>'],
    ['a page', '<!doctype html><script>alert(1)</script>'],
    ['nothing', ''],
  ])('never sends %s, under any name', async (_what, bytes) => {
    putPicture('poster.jpg', bytes);

    const reply = await askAsset('poster.jpg');

    expect([reply.statusCode, reply.json()]).toEqual([
      404,
      { error: 'Asset poster.jpg is not a supported image.', code: 'no_picture' },
    ]);
  });

  test('extracts a picture from its file once, through the probe that can', async () => {
    put('song.mp3', 'a song');

    const [one, other] = await Promise.all([askAsset('cover'), askAsset('cover')]);
    const later = await askAsset('cover', { 'if-none-match': String(one.headers.etag) });

    expect(one.rawPayload.toString('latin1')).toBe(`${jpeg} cover`);
    expect(one.headers['content-type']).toBe('image/jpeg');
    expect([other.statusCode, later.statusCode]).toEqual([200, 304]);
    expect(probed).toEqual(['first probe.artwork mp3 1', 'second probe.artwork mp3 1']);
  });

  test('extracts it again when the file changed', async () => {
    put('song.mp3', 'a song');
    await askAsset('cover');
    put('song.mp3', 'a longer song');
    await askAsset('cover');

    expect(probed.filter((line) => line.startsWith('second'))).toHaveLength(2);
  });

  test.each(['none', 'page', 'film'])(
    'answers no_picture when no probe gives one: %s',
    async (id) => {
      put('song.mp3', 'a song');
      put('film.mp4', 'a film');

      const reply = await askAsset(id);

      expect([reply.statusCode, reply.json()]).toMatchObject([404, { code: 'no_picture' }]);
    },
  );

  test('fetches a picture from the network with the grant of the plugin that named it, and no other', async () => {
    const reply = await askAsset('web');

    expect(reply.body).toContain('indexer https://pictures.example/poster.png');
    expect(reply.headers['content-type']).toBe('image/png');
  });

  test('answers 404 for a picture that the viewer may not see, or that is gone', async () => {
    expect((await askAsset('hidden')).statusCode).toBe(404);
    expect((await askAsset('gone')).statusCode).toBe(404);
  });
});

describe('a stream over a real connection', () => {
  const openFilms = (): number =>
    readdirSync('/proc/self/fd').filter((fd) => targetOf(fd).endsWith('/film.mp4')).length;

  /** Where a descriptor leads; it may be gone since it was listed. */
  function targetOf(fd: string): string {
    try {
      return readlinkSync(`/proc/self/fd/${fd}`);
    } catch {
      return '';
    }
  }

  /** Sends a request, and gives the response as soon as its headers have arrived. */
  function request(port: number) {
    return new Promise<{ response: IncomingMessage; end: () => void }>((resolve, reject) => {
      const sent = httpGet(
        {
          port,
          agent: false,
          path: '/api/files/film.mp4/stream',
          headers: bearer('guest'),
        },
        (response) => {
          response.on('error', () => undefined);
          resolve({ response, end: () => void sent.destroy() });
        },
      ).on('error', reject);
    });
  }

  /** Asks, and is gone before any answer. */
  function askAndLeave(port: number): Promise<void> {
    const { authorization } = bearer('guest');
    const head = `GET /api/files/film.mp4/stream HTTP/1.1\r\nHost: x\r\nAuthorization: ${authorization}\r\n\r\n`;
    return new Promise((resolve) => {
      const socket = connect({ port, host: '127.0.0.1' });
      socket.on('error', () => undefined).once('close', () => resolve());
      socket.write(head, () => socket.destroy());
    });
  }

  test('reads no faster than the client, and leaves nothing open when clients disconnect', async () => {
    put('film.mp4', '');
    truncateSync(`${top}/film.mp4`, 200_000_000);
    await app.listen({ host: '127.0.0.1', port: 0 });
    const { port } = app.server.address() as AddressInfo;
    const first = await request(port);
    first.end();
    await eventually('the first film is closed', () => openFilms() === 0);
    const memory = process.memoryUsage().arrayBuffers;

    const clients = await Promise.all(Array.from({ length: 10 }, () => request(port)));
    expect(process.memoryUsage().arrayBuffers - memory).toBeLessThan(60_000_000);
    expect(openFilms()).toBe(10);
    for (const { end } of clients) end();
    await Promise.all(Array.from({ length: 20 }, () => askAndLeave(port)));

    await eventually('every film is closed', () => openFilms() === 0);
  });

  test('breaks off when the file becomes shorter, so that the client notices', async () => {
    put('film.mp4', '');
    truncateSync(`${top}/film.mp4`, 50_000_000);
    await app.listen({ host: '127.0.0.1', port: 0 });
    const { response } = await request((app.server.address() as AddressInfo).port);
    truncateSync(`${top}/film.mp4`, 1000);
    response.resume();

    await new Promise((resolve) => response.once('close', resolve));

    expect(response.complete).toBe(false);
  });
});
