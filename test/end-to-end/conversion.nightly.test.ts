/** A film with sound that browsers do not know: the sound is converted beside the untouched picture. */
import { execFileSync } from 'node:child_process';
import { statSync } from 'node:fs';
import { copyFile, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { cagedTranscoder, cageNeeded } from '../support/media/caged.ts';
import { faultsOfMedia, segmentsOf } from '../support/media/hls-rules.ts';
import { madeIfo } from '../support/media/made-discs.ts';
import { bars, makeMedia, tone } from '../support/media/media-files.ts';
import { allItems, jobsOver } from '../support/servers/scan.ts';
import { processTree, startServer, type TestServer } from '../support/servers/server.ts';

const seconds = 12;
const isReady = cagedTranscoder.kind === 'ready';
const films = {
  Silent: { extension: 'mkv', codecs: ['-c:v', 'libx264', '-g', '24', '-c:a', 'ac3'] },
  Old: { extension: 'avi', codecs: ['-c:v', 'mpeg4', '-c:a', 'mp3'] },
} as const;
/** A film of a phone that was held upright: it is stored as it lies, with a note. */
const turned = (): string =>
  makeMedia('mp4', [
    ...['-i', makeMedia('mp4', [...bars(4), ...tone(4), '-c:v', 'mpeg4', '-c:a', 'aac'])],
    ...['-c', 'copy', '-metadata:s:v', 'rotate=90'],
  ]);
/** Two VOBs of a DVD: the clock of the second goes on where the first ends. */
const vob = (from: number, length: number): string =>
  makeMedia('vob', [
    ...[...bars(length, '352x288', '25'), ...tone(length), ...tone(length)],
    ...['-map', '0:v', '-map', '1:a', '-map', '2:a', '-c:v', 'mpeg2video', '-g', '12'],
    ...['-c:a', 'ac3', '-output_ts_offset', String(from), '-f', 'vob'],
  ]);
const dvdSeconds = [8, 6] as const;

/** A DVD with a menu and a trailer, whose film is the second title set. */
async function makeDvd(): Promise<void> {
  const place = path.join(folder, 'Disc (2001)/VIDEO_TS');
  await mkdir(place, { recursive: true });
  const film = [vob(0, dvdSeconds[0]), vob(dvdSeconds[0], dvdSeconds[1])];
  for (const name of ['VIDEO_TS', 'VTS_01_1', 'VTS_02_0'])
    await copyFile(vob(0, 2), path.join(place, `${name}.VOB`));
  for (const [at, file] of film.entries())
    await copyFile(file, path.join(place, `VTS_02_${String(at + 1)}.VOB`));
  const [border = 0, end = 0] = film.map((file) => statSync(file).size / 2048);
  const trailer = { cells: [{ first: 0, last: 9, seconds: 2 }], chapters: [1] };
  const cells = [
    { first: 0, last: border - 1, seconds: dvdSeconds[0] },
    { first: border, last: border + end - 1, seconds: dvdSeconds[1] },
  ];
  await writeFile(path.join(place, 'VTS_01_0.IFO'), madeIfo({ titles: [trailer] }));
  const ifo = madeIfo({
    titles: [{ cells, chapters: [1, 2] }],
    audio: ['en', 'de'],
    subtitles: [{ language: 'fr' }],
  });
  await writeFile(path.join(place, 'VTS_02_0.IFO'), ifo);
}

const encoding = ['-preset', 'ultrafast', '-pix_fmt', 'yuv420p', '-shortest'];

let folder: string;
let server: TestServer;
const items = new Map<string, string>();

beforeAll(async () => {
  if (!isReady) return;
  folder = await mkdtemp(path.join(tmpdir(), 'vitrine-converted-'));
  for (const [title, { extension, codecs }] of Object.entries(films)) {
    const made = makeMedia(extension, [...bars(seconds), ...tone(seconds), ...codecs, ...encoding]);
    await mkdir(path.join(folder, `${title} (2001)`));
    await copyFile(made, path.join(folder, `${title} (2001)`, `${title} (2001).${extension}`));
  }
  await mkdir(path.join(folder, 'Turned (2001)'));
  await copyFile(turned(), path.join(folder, 'Turned (2001)', 'Turned (2001).mp4'));
  await makeDvd();
  server = await startServer({
    args: ['--library', `movies:Films:${folder}`, '--playback-conversions', '8'],
  });
  await jobsOver(server);
  for (const { id, title } of await allItems(server)) items.set(title, id);
}, 120_000);

afterAll(async () => {
  if (!isReady) return;
  await server.stop();
  await rm(folder, { recursive: true, force: true });
});

interface Disc {
  readonly id: string;
  readonly files: readonly {
    readonly id: string;
    readonly filename: string;
    readonly classification: string;
    readonly partNumber: number | null;
    readonly chapters: readonly { readonly title: string }[];
  }[];
  readonly playback: { readonly position: number } | null;
}

interface Begun {
  readonly session: {
    readonly duration: number;
    readonly mode: string;
    readonly url: string;
    readonly tracks: readonly {
      readonly kind: string;
      readonly language: string | null;
      readonly way: string;
      readonly url: string;
    }[];
  };
}

const mse = ['video/mp4; codecs="avc1.64000C"', 'audio/mp4; codecs="mp4a.40.2"'];

async function begin(title: string, fileId?: string): Promise<Begun['session']> {
  const itemId = items.get(title) ?? '';
  const info = await server.get<{ files: readonly { candidates: readonly string[] }[] }>(
    `/api/items/${itemId}/playback-info`,
  );
  const known = (info.files[0]?.candidates ?? []).filter((type) => /avc1|mp4a/.test(type));
  const { status, body } = await server.request('POST', '/api/playback/sessions', {
    ...{ itemId, ...(fileId !== undefined && { fileId }) },
    client: { mse: [...mse, ...known], src: [] },
  });
  expect([title, status]).toEqual([title, 201]);
  return (body as Begun).session;
}

const fetched = async (url: string): Promise<Buffer> => {
  const reply = await fetch(url);
  expect([url, reply.status]).toEqual([url, 200]);
  return Buffer.from(await reply.arrayBuffer());
};

/** A track as a player gets it: its codec, and how many packets were heard or seen. */
async function play(session: Begun['session'], track: 'v' | 'a'): Promise<readonly string[]> {
  const master = String(await fetched(new URL(session.url, server.url).href));
  const uris = [...master.matchAll(/(?:URI="|^)([^"#\n]+index\.m3u8)/gm)].map(
    ([, uri = '']) => uri,
  );
  const uri = uris.find((one) => one.startsWith(track)) ?? '';
  const url = new URL(uri, new URL(session.url, server.url)).href;
  const list = String(await fetched(url));
  expect(faultsOfMedia(list)).toEqual([]);
  const parts = [await fetched(new URL('init.mp4', url).href)];
  for (const segment of segmentsOf(list)) parts.push(await fetched(new URL(segment.uri, url).href));
  const file = path.join(folder, `${track}.mp4`);
  await writeFile(file, Buffer.concat(parts));
  const args = ['-v', 'error', '-count_frames', '-of', 'csv=p=0'];
  const entries = ['-show_entries', 'stream=codec_name,nb_read_frames'];
  return String(execFileSync('ffprobe', [...args, ...entries, file]))
    .trim()
    .split(',');
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

describe.skipIf(!isReady)(`a film that a browser cannot play ${cageNeeded}`, () => {
  test('plays with its sound converted beside the untouched picture', async () => {
    const session = await begin('Silent');

    expect([session.mode, session.tracks.map(({ kind, way }) => [kind, way])]).toEqual([
      'convert',
      [
        ['video', 'copy'],
        ['audio', 'convert'],
      ],
    ]);
    const [codec, frames] = await play(session, 'a');
    expect(codec).toBe('aac');
    expect(Math.abs(Number(frames) - (seconds * 48_000) / 1024)).toBeLessThan(8);
  });

  test('plays with picture and sound converted', async () => {
    const session = await begin('Old');

    expect(session.mode).toBe('convert');
    const [codec, frames] = await play(session, 'v');
    expect(codec).toBe('h264');
    expect(Math.abs(Number(frames) - (seconds * 24_000) / 1001)).toBeLessThan(3);
    expect((await play(session, 'a'))[0]).toBe('aac');
  });

  test('plays as one film from a DVD, without its menu, also across the border of two VOBs', async () => {
    const { item } = await server.get<{ item: Disc }>(`/api/items/${items.get('Disc') ?? ''}`);
    const [first, second, ...others] = item.files;

    expect([first, second].map((file) => [file?.filename, file?.partNumber])).toEqual([
      ['VTS_02_1.VOB', 1],
      ['VTS_02_2.VOB', 2],
    ]);
    expect(others.map(({ classification }) => classification)).toEqual(['extra', 'extra', 'extra']);
    expect([first, second].map((file) => file?.chapters.map(({ title }) => title))).toEqual([
      ['Chapter 1'],
      ['Chapter 2'],
    ]);
    for (const [at, file] of [first, second].entries()) {
      const session = await begin('Disc', file?.id);
      const length = dvdSeconds[at] ?? 0;
      expect(Math.abs(session.duration - length)).toBeLessThan(0.2);
      expect(session.tracks.map(({ kind, language }) => [kind, language])).toEqual([
        ['video', null],
        ['audio', 'en'],
        ['audio', 'de'],
        ['subtitle', 'fr'],
      ]);
      const [codec, frames] = await play(session, 'v');
      expect(codec).toBe('h264');
      expect(Math.abs(Number(frames) - length * 25)).toBeLessThan(5);
    }

    // A place behind the border lies in the second VOB.
    const at = { fileId: second?.id, position: 1.5 };
    const put = await server.request('PUT', `/api/items/${item.id}/playback`, at);
    expect([put.status, put.body]).toEqual([200, expect.anything()]);
    const { item: after } = await server.get<{ item: Disc }>(`/api/items/${item.id}`);
    expect(after.playback?.position).toBeCloseTo(dvdSeconds[0] + 1.5, 0);
  });

  test('plays upright where a phone recorded it so', async () => {
    const session = await begin('Turned');
    const master = String(await fetched(new URL(session.url, server.url).href));

    expect(session.tracks.map(({ way }) => way)).toEqual(['convert', 'copy']);
    expect(master).toContain('RESOLUTION=180x320');
    await play(session, 'v');
    const size = ['-v', 'error', '-show_entries', 'stream=width,height', '-of', 'csv=p=0'];
    const shown = execFileSync('ffprobe', [...size, path.join(folder, 'v.mp4')]);
    expect(String(shown).trim()).toBe('180,320');
  });

  // The last one: it ends the server.
  test('five times at once ends with the server, and leaves no process behind', async () => {
    const sessions = await Promise.all(Array.from({ length: 5 }, () => begin('Silent')));
    const loads = sessions.map(async ({ tracks }, at) => {
      const list = tracks.find(({ kind }) => kind === 'audio')?.url ?? '';
      const reply = await fetch(new URL(`${at + 2}.m4s`, new URL(list, server.url)));
      return (await reply.arrayBuffer()).byteLength;
    });
    const ends = Promise.allSettled(loads);
    const before = await processTree(server.pid);

    expect(await server.stop()).toBe(0);

    await ends;
    expect(before.filter(isAlive)).toEqual([]);
  });
});
