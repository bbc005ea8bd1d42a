/**
 * Playing files with a real server and its own plugin `remux`: from what a client tests to the bytes
 * that it gets, and what ends a session.
 */
import { execFileSync } from 'node:child_process';
import { readFileSync, statSync } from 'node:fs';
import {
  appendFile,
  copyFile,
  mkdir,
  mkdtemp,
  open,
  rm,
  truncate,
  utimes,
  writeFile,
} from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  faultsOfMaster,
  faultsOfMedia,
  playlistsOf,
  segmentsOf,
} from '../support/media/hls-rules.ts';
import { bars, hasFfmpeg, makeMedia, subtitleFile, tone } from '../support/media/media-files.ts';
import { allItems, jobsOver } from '../support/servers/scan.ts';
import { adminToken, startServer, until, type TestServer } from '../support/servers/server.ts';

const films = ['Plain', 'Silent', 'Changing', 'Growing', 'Old'] as const;
type Film = (typeof films)[number];

let folder: string;
let server: TestServer;
const ids: Partial<Record<Film, { readonly itemId: string; readonly fileId: string }>> = {};

const seconds = 12;
const h264 = ['-c:v', 'libx264', '-preset', 'ultrafast', '-g', '24', '-pix_fmt', 'yuv420p'];
const inputs = [...bars(seconds), ...tone(seconds), ...tone(seconds)];

const extensions: Record<Film, string> = {
  ...{ Plain: 'mp4', Silent: 'mkv', Changing: 'mp4', Growing: 'ts', Old: 'avi' },
};

const pathOf = (film: Film): string => {
  const extension = extensions[film];
  return path.join(folder, `${film} (2001)`, `${film} (2001).${extension}`);
};

/** A film that is being recorded, and so many bytes of it that it has more than a half. */
const recording = (): string => makeMedia('ts', [...inputs.slice(0, 8), ...h264, '-c:a', 'aac']);
const recordedBytes = (): number => Math.floor((statSync(recording()).size * 0.6) / 188) * 188;

/** Overwrites a part of the middle. */
async function damage(file: string): Promise<void> {
  const written = await open(file, 'r+');
  const { size } = await written.stat();
  await written.write(Buffer.alloc(2000), 0, 2000, Math.floor(size / 2));
  await written.close();
}

beforeAll(async () => {
  if (!hasFfmpeg) return;
  folder = await mkdtemp(path.join(tmpdir(), 'vitrine-films-'));
  const languages = ['-metadata:s:a:0', 'language=eng', '-metadata:s:a:1', 'language=fra'];
  const maps = ['-map', '0:v', '-map', '1:a', '-map', '2:a'];
  const plain = makeMedia('mp4', [
    ...inputs,
    ...maps,
    ...h264,
    '-c:a',
    'aac',
    ...languages,
    '-shortest',
  ]);
  const silent = makeMedia('mkv', [
    ...bars(seconds),
    ...tone(seconds),
    ...h264,
    '-c:a',
    'ac3',
    '-shortest',
  ]);
  const old = makeMedia('avi', [
    ...bars(4),
    ...tone(4),
    '-c:v',
    'mpeg4',
    '-c:a',
    'mp3',
    '-shortest',
  ]);
  const growing = recording();
  const sources: Record<Film, string> = {
    ...{ Plain: plain, Silent: silent, Changing: plain, Growing: growing, Old: old },
  };
  for (const film of films) {
    await mkdir(path.dirname(pathOf(film)));
    await copyFile(sources[film], pathOf(film));
  }
  await truncate(pathOf('Growing'), recordedBytes());
  await damage(pathOf('Silent'));
  await copyFile(subtitleFile(), pathOf('Changing').replace(/mp4$/, 'de.srt'));
  await truncate(pathOf('Changing').replace(/mp4$/, 'de.srt'), 200_000_000);
  await copyFile(subtitleFile(), pathOf('Plain').replace(/mp4$/, 'en.srt'));
  server = await startServer({
    args: ['--library', `movies:Films:${folder}`, '--ffmpeg', '/there/is/no/ffmpeg'],
  });
  await jobsOver(server);
  for (const { id, title, files } of await allItems(server)) {
    const film = films.find((one) => title.startsWith(one));
    const file = files.find(({ uri }) => !uri.endsWith('.srt'));
    if (film !== undefined && file !== undefined) ids[film] = { itemId: id, fileId: file.id };
  }
}, 120_000);

afterAll(async () => {
  if (!hasFfmpeg) return;
  await server.stop();
  await rm(folder, { recursive: true, force: true });
});

interface Session {
  readonly id: string;
  readonly mode: string;
  readonly kind: string;
  readonly url: string;
  readonly firstUrls: readonly string[];
  readonly firstUrl: string | null;
  readonly duration: number;
  readonly progressUrl: string;
  readonly tracks: readonly {
    id: string;
    kind: string;
    way: string;
    url: string | null;
    isSelected: boolean;
  }[];
  readonly reasons: readonly { code: string; message: string }[];
}

const itemOf = (film: Film): string => ids[film]?.itemId ?? '';

async function candidates(film: Film): Promise<readonly string[]> {
  const { files } = await server.get<{ files: readonly { candidates: readonly string[] }[] }>(
    `/api/items/${itemOf(film)}/playback-info`,
  );
  return files[0]?.candidates ?? [];
}

/** A browser that plays these codecs in segments, and whole files if it says so. */
async function begin(
  film: Film,
  plays: RegExp,
  more: { readonly src?: readonly string[]; readonly [key: string]: unknown } = {},
): Promise<{ status: number; session: Session; body: Record<string, unknown> }> {
  const { src = [], ...rest } = more;
  const mse = (await candidates(film)).filter((type) => plays.test(type));
  const { status, body } = await server.request('POST', '/api/playback/sessions', {
    itemId: itemOf(film),
    client: { mse, src },
    ...rest,
  });
  const given = body as Record<string, unknown>;
  return { status, body: given, session: given['session'] as Session };
}

const anonymous = (url: string, headers: Record<string, string> = {}): Promise<Response> =>
  fetch(new URL(url, server.url), { headers });

async function textOf(url: string): Promise<string> {
  const reply = await anonymous(url);
  expect([url, reply.status]).toEqual([url, 200]);
  return reply.text();
}

async function bytesOf(url: string): Promise<Buffer> {
  const reply = await anonymous(url);
  expect([url, reply.status]).toEqual([url, 200]);
  const bytes = Buffer.from(await reply.arrayBuffer());
  expect(bytes.length).toBe(Number(reply.headers.get('content-length')));
  return bytes;
}

const bytesOrTextOf = (url: string): Promise<unknown> =>
  url.endsWith('.m3u8') ? textOf(url) : bytesOf(url);

/** How often a plugin was asked for a plan. */
async function plannedCalls(): Promise<number> {
  const headers = { authorization: `Bearer ${adminToken}` };
  const lines = (await (await anonymous('/metrics', headers)).text()).split('\n');
  const calls = lines.filter((line) =>
    /^vitrine_plugin_calls_total\{.*method="transcode\.(init|segment)"/.test(line),
  );
  return calls.reduce((sum, line) => sum + Number(line.split(' ').at(-1)), 0);
}

const beside = (url: string, relative: string): string =>
  new URL(relative, new URL(url, server.url)).href;

/** The packets that ffprobe counts, and how long they last. */
async function packetsOf(bytes: Buffer): Promise<number> {
  const file = path.join(folder, `${crypto.randomUUID()}.mp4`);
  await writeFile(file, bytes);
  const out = execFileSync('ffprobe', [
    ...['-v', 'error', '-count_packets', '-show_entries', 'stream=nb_read_packets'],
    ...['-of', 'csv=p=0', file],
  ]).toString();
  await rm(file);
  return Number(out.trim());
}

const browser = /^(video\/mp4; codecs="avc1|audio\/mp4; codecs="(mp4a|opus))/;

describe.skipIf(!hasFfmpeg)('a session', () => {
  test('plays the file itself where the client plays everything in it', async () => {
    const whole = (await candidates('Plain')).filter(
      (type) => type.includes('avc1') && type.includes('mp4a'),
    );

    const { status, session } = await begin('Plain', browser, { src: whole });

    expect([status, session.mode, session.kind, session.reasons]).toEqual([
      201,
      'direct',
      'file',
      [],
    ]);
    const part = await anonymous(session.url, { range: 'bytes=4-7' });
    expect([part.status, await part.text()]).toEqual([206, 'ftyp']);
    expect(session.url).not.toContain('?');
  });

  test('has what its player asks for first ready, at its position', async () => {
    const position = 5.5;
    const { session } = await begin('Plain', browser, { position });
    // The init segment and one segment, of the picture and of the sound.
    await until('the segments are planned', async () => (await plannedCalls()) === 4);

    const names = session.firstUrls.map((url) => path.posix.basename(url));
    for (const url of session.firstUrls) await bytesOrTextOf(url);
    const segments = segmentsOf(await textOf(session.firstUrls[1] ?? ''));

    expect(names.map((name) => name.replace(/^\d+/, 'n'))).toEqual([
      ...['master.m3u8', 'index.m3u8', 'index.m3u8', 'init.mp4', 'n.m4s', 'init.mp4', 'n.m4s'],
    ]);
    const at = segments.findIndex(({ uri }) => uri === names[4]);
    const start = segments.slice(0, at).reduce((sum, one) => sum + one.seconds, 0);
    const isThere = start <= position && position < start + (segments[at]?.seconds ?? 0);
    expect([isThere, await plannedCalls()]).toEqual([true, 4]);

    const first = new URL(session.firstUrl ?? '', server.url);
    const together = await bytesOf(first.href);
    const end = together.indexOf(10) + 1;
    const parts = JSON.parse(together.toString('utf8', 0, end)) as [string, number][];
    const known = session.firstUrls.map((url) => new URL(url, server.url).href);
    expect(parts.map(([name]) => new URL(name, first).href).sort()).toEqual(known.toSorted());
    let from = end;
    for (const [name, length] of parts) {
      const alone = Buffer.from(await (await fetch(new URL(name, first))).arrayBuffer());
      expect([name, together.subarray(from, (from += length)).equals(alone)]).toEqual([name, true]);
    }
    expect(from).toBe(together.length);
  });

  test('sends segments whose playlists obey the rules and whose packets are those of the file', async () => {
    const { status, session } = await begin('Plain', browser);

    expect([status, session.mode, session.kind]).toEqual([201, 'remux', 'hls']);
    expect(session.tracks.map(({ id, way, isSelected }) => [id, way, isSelected])).toEqual([
      ['v0', 'copy', true],
      ['a1', 'copy', true],
      ['a2', 'copy', false],
      [expect.any(String), 'direct', false],
    ]);
    const master = await textOf(session.url);
    expect(faultsOfMaster(master)).toEqual([]);
    const lists = playlistsOf(master);
    expect(lists.filter((list) => /^[av]\d/.test(list)).sort()).toEqual([
      'a1/copy/index.m3u8',
      'a2/copy/index.m3u8',
      'v0/copy/iframes.m3u8',
      'v0/copy/index.m3u8',
    ]);
    for (const list of lists)
      expect([list, faultsOfMedia(await textOf(beside(session.url, list)))]).toEqual([list, []]);
    for (const track of ['v0', 'a1'] as const) {
      const url = beside(session.url, `${track}/copy/index.m3u8`);
      const segments = segmentsOf(await textOf(url));
      const total = segments.reduce((sum, one) => sum + one.seconds, 0);
      expect(Math.abs(total - session.duration)).toBeLessThan(0.001);
      const parts = [await bytesOf(beside(url, 'init.mp4'))];
      for (const { uri } of segments) parts.push(await bytesOf(beside(url, uri)));
      const whole = execFileSync('ffprobe', [
        ...['-v', 'error', '-count_packets', '-select_streams', track === 'v0' ? 'v:0' : 'a:0'],
        ...['-show_entries', 'stream=nb_read_packets', '-of', 'csv=p=0', pathOf('Plain')],
      ]).toString();
      expect(await packetsOf(Buffer.concat(parts))).toBe(Number(whole.trim()));
    }
    const keyframe = await bytesOf(beside(session.url, 'v0/copy/3.key.m4s'));
    const init = await bytesOf(beside(session.url, 'v0/copy/init.mp4'));
    expect(await packetsOf(Buffer.concat([init, keyframe]))).toBe(1);
  });

  test('shows the texts of the file in its playlist and as WebVTT', async () => {
    const { session } = await begin('Plain', browser);
    const text = session.tracks.find(({ kind }) => kind === 'subtitle');

    const list = await textOf((text?.url ?? '').replace(/vtt$/, 'm3u8'));

    expect(faultsOfMedia(list)).toEqual([]);
    const [only] = segmentsOf(list);
    expect(await textOf(beside(text?.url ?? '', only?.uri ?? ''))).toMatch(/^WEBVTT\n/);
  });

  test('of a file that needs conversion is refused with its reason where there is no converter', async () => {
    const automatic = await begin('Silent', browser);
    const forced = await begin('Old', browser, { mode: 'remux' });

    expect([automatic.status, automatic.body['code']]).toEqual([503, 'transcoder_missing']);
    expect(forced.status).toBe(409);
    expect(forced.body).toMatchObject({
      code: 'unplayable',
      reasons: ['video_codec', 'audio_codec'],
    });
  });

  test('keeps the position of its profile with each report', async () => {
    const { session } = await begin('Plain', browser);

    const reply = await server.request('PATCH', session.progressUrl, {
      position: 7,
      state: 'paused',
    });

    expect(reply.status).toBe(200);
    const { playback } = await server.get<{ playback: object }>(
      `/api/items/${itemOf('Plain')}/playback`,
    );
    expect(playback).toMatchObject({ position: 7, completed: false });
  });

  test('ends by its client, and its addresses with it', async () => {
    const { session } = await begin('Plain', browser);

    const ended = await server.request('DELETE', session.progressUrl);

    expect(ended.status).toBe(204);
    expect((await anonymous(session.url)).status).toBe(404);
    expect((await server.request('PATCH', session.progressUrl, {})).status).toBe(404);
  });

  test('of a file that changes while it plays answers 412, and a new one plays', async () => {
    const { session } = await begin('Changing', browser);
    const url = beside(session.url, 'v0/copy/0.m4s');
    await bytesOf(url);

    await utimes(pathOf('Changing'), new Date(), new Date());

    const reply = await anonymous(url);
    expect([reply.status, ((await reply.json()) as { code: string }).code]).toEqual([
      412,
      'file_changed',
    ]);
    const again = await begin('Changing', browser);
    expect((await anonymous(again.session.url)).status).toBe(200);
  });

  test('of a film with a text of 200 MB says that it is too long, and plays the film', async () => {
    const { session } = await begin('Changing', browser);
    const texts = session.tracks.filter(({ kind }) => kind === 'subtitle');

    const reply = await anonymous(texts[0]?.url ?? '');

    expect([texts.length, reply.status]).toEqual([1, 422]);
    expect(await reply.text()).toMatch(
      /text_refused.*200000000 bytes|200000000 bytes.*text_refused/,
    );
    expect((await anonymous(beside(session.url, 'v0/copy/0.m4s'))).status).toBe(200);
  });

  test('of a film that is damaged in one place plays before and behind it', async () => {
    const { session } = await begin('Silent', /avc1|ac-3/);

    for (const { kind, url } of session.tracks.filter((track) => track.url !== null)) {
      const segments = segmentsOf(await textOf(url ?? ''));
      expect([kind, segments.length]).toEqual([kind, 8]);
      for (const { uri } of segments) await bytesOf(beside(url ?? '', uri));
    }
  });

  test('of a file that grows while it plays is followed by one that has more of it', async () => {
    const { session } = await begin('Growing', /avc1|mp4a/);
    const url = session.tracks.find(({ kind }) => kind === 'video')?.url ?? '';
    const listed = segmentsOf(await textOf(url)).length;

    await appendFile(pathOf('Growing'), readFileSync(recording()).subarray(recordedBytes()));

    expect((await anonymous(url)).status).toBe(412);
    const again = await begin('Growing', /avc1|mp4a/);
    const longer = again.session.tracks.find(({ kind }) => kind === 'video')?.url ?? '';
    const segments = segmentsOf(await textOf(longer));
    expect(segments.length).toBeGreaterThan(listed);
    const last = beside(longer, segments.at(-1)?.uri ?? '');
    expect((await anonymous(last)).status).toBe(200);
  });

  test('refuses segments, tracks and names that are not there', async () => {
    const { session } = await begin('Plain', browser);

    for (const name of [
      'v0/copy/9999.m4s',
      'v9/copy/0.m4s',
      'v0/h264-720/0.m4s',
      'a1/copy/iframes.m3u8x',
    ])
      expect([name, (await anonymous(beside(session.url, name))).status]).toEqual([
        name,
        name.endsWith('x') ? 400 : 404,
      ]);
  });

  test('belongs to its user: for others it does not exist, and its link ends with the access and with the sign-out', async () => {
    const users: string[] = [];
    const join = async (name: string) => {
      const made = await server.request('POST', '/api/users', {
        name,
        password: 'correct horse battery',
        role: 'user',
      });
      expect(made.status).toBe(201);
      users.push((made.body as { user: { id: string } }).user.id);
      const signed = await fetch(`${server.url}/api/auth/login`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ name, password: 'correct horse battery' }),
      });
      return ((await signed.json()) as { sessionToken: string }).sessionToken;
    };
    const call = async (token: string, method: string, route: string, body?: unknown) => {
      const reply = await fetch(new URL(route, server.url), {
        method,
        headers: {
          authorization: `Bearer ${token}`,
          ...(body !== undefined && { 'content-type': 'application/json' }),
        },
        ...(body !== undefined && { body: JSON.stringify(body) }),
      });
      return { status: reply.status, text: await reply.text() };
    };
    const [ada, bob] = [await join('Ada'), await join('Bob')];
    const mse = (await candidates('Plain')).filter((type) => browser.test(type));
    const begun = await call(ada, 'POST', '/api/playback/sessions', {
      itemId: itemOf('Plain'),
      client: { mse, src: [] },
    });
    const { session } = JSON.parse(begun.text) as { session: Session };

    expect((await call(bob, 'PATCH', session.progressUrl, { position: 1 })).status).toBe(404);
    expect((await call(bob, 'DELETE', session.progressUrl)).status).toBe(404);
    expect((await call(bob, 'GET', '/api/playback/sessions')).text).toBe(
      '{"sessions":[],"nextCursor":null}',
    );
    const listed = await server.get<{ sessions: readonly { id: string }[] }>(
      '/api/playback/sessions',
    );
    expect(listed.sessions.map(({ id }) => id)).toContain(session.id);
    expect(JSON.stringify(listed)).not.toContain('vtl_');
    const context = JSON.stringify({ itemId: itemOf('Plain'), sessionId: session.id });
    const overlays = `/api/plugins/views/ui.player.overlays?context=${encodeURIComponent(context)}`;
    expect((await call(ada, 'GET', overlays)).status).toBe(200);
    expect((await call(bob, 'GET', overlays)).status).toBe(404);
    const segment = beside(session.url, 'a1/copy/1.m4s');
    for (let turn = 0; turn < 3; turn += 1) expect((await anonymous(segment)).status).toBe(200);
    const { libraries } = await server.get<{ libraries: readonly { id: string }[] }>(
      '/api/libraries',
    );
    // It does not see what has no certification.
    const access = [{ libraryId: libraries[0]?.id, maxRating: 'PG-13' }];
    const bobs = await call(bob, 'POST', '/api/playback/sessions', {
      ...{ itemId: itemOf('Plain'), client: { mse, src: [] } },
    });
    const his = (JSON.parse(bobs.text) as { session: Session }).session;
    expect((await anonymous(his.url)).status).toBe(200);
    const limited = await server.request('PATCH', `/api/users/${users[1]}`, {
      libraryAccess: access,
    });
    expect([limited.status, limited.body]).toEqual([200, expect.anything()]);
    expect((await anonymous(his.url)).status).toBe(404);

    expect((await anonymous(session.url)).status).toBe(200);
    await call(ada, 'POST', '/api/auth/logout');
    expect([(await anonymous(session.url)).status, (await anonymous(segment)).status]).toEqual([
      401, 401,
    ]);
    const after = await server.get<{ sessions: readonly { id: string }[] }>(
      '/api/playback/sessions',
    );
    expect(after.sessions.map(({ id }) => id)).not.toContain(session.id);
  });

  test('plays on after its plugin was killed', async () => {
    const { session } = await begin('Plain', browser);
    const url = beside(session.url, 'v0/copy/1.m4s');
    const off = await server.request('POST', '/api/plugins/remux/restart');
    expect([off.status, off.body]).toEqual([200, expect.anything()]);

    expect((await bytesOf(url)).length).toBeGreaterThan(100);
  });

  // The last one: it ends the server.
  test('ends with the server, which stops though five of them are open', async () => {
    const statuses = [];
    for (let n = 0; n < 5; n += 1) {
      const { status } = await server.request('POST', '/api/playback/sessions', {
        itemId: itemOf('Plain'),
        client: { mse: [], src: [], profile: 'vlc' },
      });
      statuses.push(status);
    }

    const code = await server.stop();

    expect([statuses, code]).toEqual([[201, 201, 201, 201, 201], 0]);
  });
});
