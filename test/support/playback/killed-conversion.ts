/** kill -9 of a server that converts: how long its transcoders live on, and what its cache is worth. */
import { execFileSync } from 'node:child_process';
import { copyFile, mkdir, mkdtemp, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { readdirSync, readlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { bars, makeMedia, tone } from '../media/media-files.ts';
import { allItems, jobsOver } from '../servers/scan.ts';
import { startServer, type TestServer } from '../servers/server.ts';

const seconds = 40;
const starts = [0, 1, 2, 4, 6, 8, 10, 12, 14, 16, 20, 24, 28, 32, 36];

/** A server with a film of which picture and sound must be converted. */
export interface KilledScene {
  readonly data: string;
  readonly film: string;
  readonly start: () => Promise<TestServer>;
  readonly remove: () => Promise<void>;
}

/** Makes the film, and scans it once. */
export async function createKilledScene(): Promise<KilledScene> {
  const folder = await mkdtemp(path.join(tmpdir(), 'vitrine-killed-conversion-'));
  const data = path.join(folder, 'data');
  const film = path.join(folder, 'films/Old (2001)/Old (2001).avi');
  await mkdir(path.dirname(film), { recursive: true });
  const codecs = ['-c:v', 'mpeg4', '-q:v', '3', '-c:a', 'mp3', '-shortest'];
  await copyFile(
    makeMedia('avi', [...bars(seconds, '320x180', '25'), ...tone(seconds), ...codecs]),
    film,
  );
  const args = ['--library', `movies:Films:${folder}/films`, '--scan-hours', '0'];
  const start = (): Promise<TestServer> => startServer({ data, args });
  const first = await start();
  await jobsOver(first);
  await first.kill();
  return { data, film, start, remove: () => rm(folder, { recursive: true, force: true }) };
}

const mse = ['video/mp4; codecs="avc1.640028"', 'audio/mp4; codecs="mp4a.40.2"'];

/** Addresses of the init segment and the segments of the picture. */
export async function pictureOf(server: TestServer): Promise<readonly string[]> {
  const [item] = await allItems(server);
  const { body } = await server.request('POST', '/api/playback/sessions', {
    itemId: item?.id,
    client: { mse, src: [] },
  });
  const { session } = body as { session: { tracks: readonly { kind: string; url: string }[] } };
  const list = session.tracks.find(({ kind }) => kind === 'video')?.url ?? '';
  const names = ['init.mp4', ...starts.map((_, n) => `${n}.m4s`)];
  return names.map((name) => new URL(name, new URL(list, server.url)).href);
}

/** Processes that have the film open. */
const holdersOf = (film: string): number =>
  readdirSync('/proc').filter((pid) => {
    try {
      return readlinkSync(`/proc/${pid}/fd/4`) === film;
    } catch {
      return false;
    }
  }).length;

/**
 * Plays from a place on, and kills the server so many milliseconds later. Gives how many transcoders
 * had the film then, and the milliseconds until none has it any more.
 */
export async function killWhileConverting(
  { start, film }: KilledScene,
  { from, afterMs }: { readonly from: number; readonly afterMs: number },
): Promise<{ readonly held: number; readonly ms: number }> {
  const server = await start();
  const [init = '', ...segments] = await pictureOf(server);
  const loads = [init, ...segments.slice(from)].map((url) => fetch(url).catch(() => null));
  await new Promise((resolve) => setTimeout(resolve, afterMs));
  const held = holdersOf(film);
  const killedAt = performance.now();
  await server.kill();
  let goneAt = performance.now();
  while (holdersOf(film) > 0 && performance.now() - killedAt < 10_000) {
    await new Promise((resolve) => setTimeout(resolve, 10));
    goneAt = performance.now();
  }
  await Promise.all(loads);
  return { held, ms: goneAt - killedAt };
}

/** What the cache has after a restart, and how many frames of the film play from it. */
export async function playFromCache({ start, data }: KilledScene): Promise<{
  readonly other: readonly string[];
  readonly bytes: number;
  readonly frames: number;
}> {
  const server = await start();
  const parts: Buffer[] = [];
  for (const url of await pictureOf(server))
    parts.push(Buffer.from(await (await fetch(url)).arrayBuffer()));
  await server.kill();
  const folder = path.join(data, 'cache/conversions');
  const names = await readdir(folder);
  let bytes = 0;
  for (const name of names) bytes += (await stat(path.join(folder, name))).size;
  const file = path.join(data, 'played.mp4');
  await writeFile(file, Buffer.concat(parts));
  const counting = ['-v', 'error', '-count_frames', '-show_entries', 'stream=nb_read_frames'];
  const counted = execFileSync('ffprobe', [...counting, '-of', 'csv=p=0', file]);
  return {
    other: names.filter((name) => !/^[0-9a-f]{64}$/.test(name)),
    ...{ bytes, frames: Number(String(counted).trim()) },
  };
}

/** Frames of the whole film. */
export const filmFrames = seconds * 25;
