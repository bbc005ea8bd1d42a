/**
 * Films, songs, books and pictures whose files or folders became links into another library: no route
 * that gives what is in files gives that of the other library, and no job or scan brings it in. Each such
 * operation of the API document was answered before, so a new one fails until it is walked here.
 */
import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { copyFile, mkdir, mkdtemp, readdir, rename, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { zipSync } from 'fflate';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { cagedTranscoder, cageNeeded } from '../support/media/caged.ts';
import { bars, keepFile, makeMedia, tone } from '../support/media/media-files.ts';
import { makePdf } from '../support/pages/made-pdf.ts';
import { filled, mediaOperations } from '../support/servers/byte-routes.ts';
import { firstScansOver, scanAll } from '../support/servers/scan.ts';
import { startServer, until, type TestServer } from '../support/servers/server.ts';

const font = '/usr/share/fonts/truetype/dejavu/DejaVuSans.ttf';
const isReady = cagedTranscoder.kind === 'ready' && existsSync(font);
const kinds = ['movies', 'music', 'books', 'photos'] as const;
/** In every text of the other libraries. */
const secret = 'SECRETWORD';
let top: string;
let server: TestServer;
let token: string;
let operations: ReadonlyMap<string, string>;

/** The files of one side, by their paths. */
function filesOf(word: string, source: string, color: string): ReadonlyMap<string, string> {
  const picture = makeMedia('jpg', [
    ...['-f', 'lavfi', '-i', `color=${color}:size=300x300:rate=1:duration=1`, '-frames:v', '1'],
  ]);
  const srt = keepFile('srt', `1\n00:00:00,100 --> 00:00:01,500\n${word}\n`);
  const script = makeMedia('ass', ['-i', srt]);
  const own = keepFile('ttf', Buffer.concat([readFileSync(font), Buffer.from(word)]));
  const film = makeMedia('mkv', [
    ...[
      '-f',
      'lavfi',
      '-i',
      `${source}=size=320x180:rate=24:duration=12`,
      ...tone(12),
      '-i',
      script,
    ],
    ...[
      '-c:v',
      'libx264',
      '-preset',
      'ultrafast',
      '-g',
      '48',
      '-pix_fmt',
      'yuv420p',
      '-c:a',
      'aac',
    ],
    ...['-c:s', 'ass', '-attach', own, '-metadata:s:t', 'mimetype=application/x-truetype-font'],
  ]);
  const song = makeMedia('mp3', [
    ...[...tone(4), '-i', picture, '-map', '0', '-map', '1', '-c:a', 'libmp3lame', '-c:v', 'copy'],
    ...['-metadata', 'title=One', '-metadata', 'artist=Ann', '-metadata', 'album=Ours'],
    ...['-metadata', `comment=${word}`, '-metadata', `lyrics=${word}`, '-id3v2_version', '3'],
  ]);
  const clip = makeMedia('mp4', [
    ...[
      ...bars(1),
      '-c:v',
      'libx264',
      '-preset',
      'ultrafast',
      '-pix_fmt',
      'yuv420p',
      '-metadata',
      `title=${word}`,
    ],
  ]);
  const text = (extension: string, content: string): string => keepFile(extension, content);
  const comic = zipSync({ '001.jpg': Buffer.from(word), 'cover.jpg': Buffer.from(word) });
  return new Map([
    ['movies/One (1999)/One (1999).mkv', film],
    ['movies/One (1999)/One (1999).en.srt', srt],
    ['movies/One (1999)/poster.jpg', picture],
    ['music/Ann/Ours/01 One.mp3', song],
    ['music/Ann/Ours/01 One.lrc', text('lrc', `[00:01.00]${word}\n`)],
    ['music/Ann/Ours/cover.jpg', picture],
    ['music/Ann/artist.jpg', picture],
    ['music/Lists/Best.m3u', text('m3u', `#EXTINF:4,${word}\n../Ann/gone.mp3\n`)],
    ['books/Reed/One.cbz', keepFile('cbz', comic)],
    ['books/Reed/Two.pdf', keepFile('pdf', makePdf({ spareBytes: word.length }))],
    ['photos/Trip/one.jpg', picture],
    ['photos/Trip/clip.mp4', clip],
  ]);
}

const ours = (): ReadonlyMap<string, string> => filesOf('open', 'testsrc', 'red');

async function put(side: string, files: ReadonlyMap<string, string>): Promise<void> {
  for (const [name, from] of files) {
    await mkdir(path.dirname(path.join(top, side, name)), { recursive: true });
    await copyFile(from, path.join(top, side, name));
  }
}

const call = (route: string, init: RequestInit = {}): Promise<Response> =>
  fetch(new URL(route, server.url), {
    ...init,
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
  });

const ask = async <Shape>(route: string): Promise<Shape> =>
  (await (await call(route)).json()) as Shape;

interface Shown {
  readonly id: string;
  readonly assets: Readonly<Record<string, string>>;
  readonly files: readonly { readonly id: string; readonly text: readonly { id: string }[] }[];
}

interface Session {
  readonly url: string;
  readonly tracks: readonly { readonly url: string }[];
}

type Values = Readonly<Record<string, string>>;

const begin = (itemId: string, mode: 'direct' | 'remux'): Promise<Response> =>
  call('/api/playback/sessions', {
    method: 'POST',
    body: JSON.stringify({
      ...{ itemId, mode, takesOver: false },
      client: { mse: [], src: [], profile: 'vlc' },
    }),
  });

/** The values of the addresses of a new session of an item; none for what does not play. */
async function sessionOf(item: Shown, mode: 'direct' | 'remux'): Promise<readonly Values[]> {
  const reply = await begin(item.id, mode);
  if (!reply.ok) return [];
  const { session } = (await reply.json()) as { readonly session: Session };
  const [, , , , id = '', link = ''] = new URL(session.url, server.url).pathname.split('/');
  const texts = item.files.flatMap(({ text }) => text.flatMap((one) => [`${one.id}.vtt`]));
  return (session.tracks.length === 0 ? [{ url: '' }] : session.tracks).flatMap(({ url }) => {
    const [, , , , , , track = '', quality = ''] = new URL(url, server.url).pathname.split('/');
    const all = { id, link, ...(track !== '' && { track, quality }), index: '0' };
    return [
      { ...all, part: 'init.mp4', name: 'index.vtt', text: texts[0] ?? 'x.vtt' },
      { ...all, part: '0.m4s', name: '0.jpg', text: texts[1] ?? 'x.ass' },
    ];
  });
}

/** What the guest knows of: the values for each operation, by the beginning of its path. */
async function known(): Promise<ReadonlyMap<string, readonly Values[]>> {
  const { items } = await ask<{ items: readonly Shown[] }>('/api/items?limit=100');
  const full = await Promise.all(
    items.map(async ({ id }) => (await ask<{ item: Shown }>(`/api/items/${id}`)).item),
  );
  const lists = ['artist', 'album', 'author', 'series'].map(async (type) => {
    const reply = await ask<{ entities: readonly Shown[] }>(`/api/entities?type=${type}`);
    return reply.entities;
  });
  const entities = (await Promise.all(lists)).flat();
  const { libraries } = await ask<{ libraries: readonly { id: string }[] }>('/api/libraries');
  const playlists = await Promise.all(
    libraries.map(async ({ id }) => {
      const found = await ask<{ playlists: readonly { id: string }[] }>(
        `/api/libraries/${id}/playlists`,
      );
      return found.playlists.map((one) => ({ id, fileId: one.id }));
    }),
  );
  const sessions = await Promise.all(
    full.flatMap((item) => [sessionOf(item, 'direct'), sessionOf(item, 'remux')]),
  );
  const files = full.flatMap((item) => item.files);
  return new Map<string, readonly Values[]>([
    ['/api/playback/sessions/', sessions.flat()],
    [
      '/api/files/',
      files.flatMap(({ id, text }) => [
        { id, index: '0' },
        ...text.flatMap((one) => ['vtt', 'ass'].map((to) => ({ id, track: `${one.id}.${to}` }))),
      ]),
    ],
    [
      '/api/assets/',
      [...full, ...entities].flatMap(({ assets }) =>
        Object.values(assets).map((url) => ({ id: url.split('/').at(-1) ?? '' })),
      ),
    ],
    ['/api/items/', full.map(({ id }) => ({ id }))],
    ['/api/libraries/', playlists.flat()],
  ]);
}

interface Answer {
  readonly operation: string;
  readonly route: string;
  readonly isRead: boolean;
  /** Its words say whose it is. */
  readonly isText: boolean;
  readonly hash: string;
}

/** Asks each operation for all that is known; pictures also in this width. */
async function walk(
  values: ReadonlyMap<string, readonly Values[]>,
  width: number,
): Promise<readonly Answer[]> {
  const answers: Answer[] = [];
  for (const [operation, template] of operations) {
    const prefix = [...values.keys()].find((one) => template.startsWith(one));
    const routes = (values.get(prefix ?? '') ?? [])
      .map((one) => filled(template, one))
      .filter((route) => !route.includes('?'))
      .flatMap((route) =>
        operation === 'getAsset' ? [route, `${route}?width=${width}`] : [route],
      );
    for (const route of new Set(routes)) {
      const reply = await call(route);
      const bytes = Buffer.from(await reply.arrayBuffer());
      expect(bytes.includes(secret), route).toBe(false);
      const hash = createHash('sha256').update(bytes).digest('hex');
      const type = reply.headers.get('content-type') ?? '';
      answers.push({ operation, route, isRead: reply.ok, isText: /json/.test(type), hash });
    }
  }
  return answers;
}

/** Bytes that were not there before. */
const newIn = (answers: readonly Answer[], before: readonly Answer[]): readonly string[] => {
  const had = new Set(before.map(({ hash }) => hash));
  return answers.flatMap(({ isRead, isText, hash, route }) =>
    isRead && !isText && !had.has(hash) ? [route] : [],
  );
};

/** Asked seldom, since the jobs give way to people. */
async function runJobs(): Promise<void> {
  for (const type of ['stills', 'trickplay', 'loudness']) {
    const { body } = await server.request('POST', '/api/jobs', { type });
    const { job } = body as { readonly job: { readonly id: string } };
    const isOver = async (): Promise<boolean> => {
      const { job: now } = await server.get<{ job: { status: string } }>(`/api/jobs/${job.id}`);
      return now.status !== 'pending' && now.status !== 'running';
    };
    await until(`the job ${type} is over`, isOver, 300_000, 2000);
  }
}

beforeAll(async () => {
  if (!isReady) return;
  top = await mkdtemp(path.join(tmpdir(), 'vitrine-sides-'));
  await put('ours', ours());
  await put('theirs', filesOf(secret, 'testsrc2', 'blue'));
  const sides = ['ours', 'theirs'].flatMap((side) =>
    kinds.flatMap((kind) => ['--library', `${kind}:${side} ${kind}:${top}/${side}/${kind}`]),
  );
  server = await startServer({ args: sides });
  await firstScansOver(server);
  const { libraries } = await server.get<{ libraries: readonly { id: string; name: string }[] }>(
    '/api/libraries',
  );
  const libraryAccess = libraries
    .filter(({ name }) => name.startsWith('ours'))
    .map(({ id }) => ({ libraryId: id }));
  const password = 'correct horse battery';
  await server.request('POST', '/api/users', {
    name: 'gast',
    password,
    role: 'guest',
    libraryAccess,
  });
  const login = await server.request('POST', '/api/auth/login', { name: 'gast', password });
  token = (login.body as { readonly sessionToken: string }).sessionToken;
  operations = await mediaOperations();
}, 240_000);

afterAll(async () => {
  if (!isReady) return;
  await server.stop();
  await rm(top, { recursive: true, force: true });
});

/** All files become links, one by one. */
async function linkFiles(): Promise<void> {
  for (const name of ours().keys()) {
    await rm(path.join(top, 'ours', name));
    await symlink(path.join(top, 'theirs', name), path.join(top, 'ours', name));
  }
}

/** What is directly in the folders of the libraries becomes links. */
async function linkFolders(): Promise<void> {
  for (const kind of kinds)
    for (const name of await readdir(path.join(top, 'ours', kind))) {
      await rm(path.join(top, 'ours', kind, name), { recursive: true });
      await symlink(path.join(top, 'theirs', kind, name), path.join(top, 'ours', kind, name));
    }
}

/** Each file becomes a link to a link, which leads there by way of the library itself. */
async function linkByWay(): Promise<void> {
  await linkFiles();
  for (const name of ours().keys()) {
    const at = path.join(top, 'ours', name);
    await rename(at, `${at}.way`);
    await symlink(`${path.basename(at)}.way`, at);
  }
}

describe.skipIf(!isReady)(`a library whose %s ${cageNeeded} (needs DejaVu)`, () => {
  beforeEach(async () => {
    for (const kind of kinds) {
      await rm(path.join(top, 'ours', kind), { recursive: true, force: true });
      await mkdir(path.join(top, 'ours', kind));
    }
    await put('ours', ours());
    await scanAll(server);
  });

  test.each([
    ['files became links', linkFiles],
    ['folders became links', linkFolders],
    ['files became links to links', linkByWay],
  ])('gives nothing of another library, when its %s', { timeout: 400_000 }, async (_name, swap) => {
    await runJobs();
    const values = await known();
    const before = await walk(values, 160);
    const read = new Set(before.flatMap(({ operation, isRead }) => (isRead ? [operation] : [])));
    expect([...operations.keys()].filter((name) => !read.has(name))).toEqual([]);

    await swap();

    expect(newIn(await walk(values, 161), before)).toEqual([]);
    for (const { id } of values.get('/api/items/') ?? [])
      for (const mode of ['direct', 'remux'] as const)
        expect((await begin(id ?? '', mode)).ok).toBe(false);
    await runJobs();
    expect(newIn(await walk(values, 162), before)).toEqual([]);
    await scanAll(server);
    expect(newIn(await walk(values, 163), before)).toEqual([]);
    expect(JSON.stringify(await ask('/api/items?limit=100'))).not.toContain(secret);
    const told = await server.get<{ libraries: readonly { problems: object }[] }>('/api/libraries');
    for (const { problems } of told.libraries.slice(0, kinds.length))
      expect(JSON.stringify(problems)).toMatch(/leads? out of the library/);
  });
});
