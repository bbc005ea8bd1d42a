/** A film with sound that browsers do not know: the sound is converted beside the untouched picture. */
import { execFileSync } from 'node:child_process';
import { copyFile, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { cagedTranscoder, cageNeeded } from '../support/media/caged.ts';
import { faultsOfMedia, segmentsOf } from '../support/media/hls-rules.ts';
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

interface Begun {
  readonly session: {
    readonly mode: string;
    readonly url: string;
    readonly tracks: readonly {
      readonly kind: string;
      readonly way: string;
      readonly url: string;
    }[];
  };
}

const mse = ['video/mp4; codecs="avc1.64000C"', 'audio/mp4; codecs="mp4a.40.2"'];

async function begin(title: string): Promise<Begun['session']> {
  const itemId = items.get(title) ?? '';
  const info = await server.get<{ files: readonly { candidates: readonly string[] }[] }>(
    `/api/items/${itemId}/playback-info`,
  );
  const known = (info.files[0]?.candidates ?? []).filter((type) => /avc1|mp4a/.test(type));
  const { status, body } = await server.request('POST', '/api/playback/sessions', {
    itemId,
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
