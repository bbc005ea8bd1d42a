/**
 * Picture and sound stay together: after two switches of the sound, and after seeks in a film that is
 * damaged, a flash and its beep are within 40 ms of each other, copied and converted.
 */
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { cagedTranscoder, cageNeeded } from '../support/media/caged.ts';
import { segmentsOf } from '../support/media/hls-rules.ts';
import { makeMedia } from '../support/media/media-files.ts';
import { allItems, firstScansOver } from '../support/servers/scan.ts';
import { startServer, type TestServer } from '../support/servers/server.ts';

const seconds = 24;
const mostApart = 0.04;

/** A flash each second, and with it a beep in each of two sounds. */
const film = (extension: string): string =>
  makeMedia(extension, [
    ...['-f', 'lavfi', '-i', `color=black:size=160x90:rate=25:duration=${seconds}`],
    ...[440, 880].flatMap((tone) => [
      ...['-f', 'lavfi', '-i'],
      `aevalsrc='0.5*sin(2*PI*${tone}*t)*lt(mod(t\\,1)\\,0.04)':s=48000:d=${seconds}`,
    ]),
    ...['-filter_complex', "[0:v]geq=lum='if(lt(mod(N,25),1),235,16)':cb=128:cr=128[v]"],
    ...['-map', '[v]', '-map', '1:a', '-map', '2:a'],
    ...['-c:v', 'libx264', '-preset', 'ultrafast', '-pix_fmt', 'yuv420p', '-g', '25'],
    ...['-c:a', 'aac', '-b:a', '96k'],
  ]);

/** Two holes, as of a disk with bad sectors. */
function damaged(file: string): Buffer {
  const bytes = Buffer.from(readFileSync(file));
  for (const [at, length] of [
    [0.35, 0.01],
    [0.6, 0.004],
  ] as const)
    bytes.fill(0, Math.round(bytes.length * at), Math.round(bytes.length * (at + length)));
  return bytes;
}

interface Session {
  readonly url: string;
  readonly progressUrl: string;
  readonly tracks: readonly {
    readonly id: string;
    readonly kind: string;
    readonly way: string;
    readonly isSelected: boolean;
    readonly url: string;
  }[];
}

describe.skipIf(cagedTranscoder.kind !== 'ready')(`a flash and its beep ${cageNeeded}`, () => {
  let folder = '';
  let server: TestServer;
  const items = new Map<string, string>();

  beforeAll(async () => {
    folder = mkdtempSync(path.join(tmpdir(), 'vitrine-in-step-'));
    const files = {
      'Whole (2001).mkv': readFileSync(film('mkv')),
      'Mended (2001).mp4': readFileSync(film('mp4')),
      'Stream (2001).ts': readFileSync(film('ts')),
      'Damaged (2001).mkv': damaged(film('mkv')),
      'Broken (2001).ts': damaged(film('ts')),
    };
    mkdirSync(path.join(folder, 'films'));
    for (const [name, bytes] of Object.entries(files))
      writeFileSync(path.join(folder, 'films', name), bytes);
    server = await startServer({
      args: [
        ...['--library', `movies:Films:${path.join(folder, 'films')}`],
        ...['--playback-conversions', '8'],
      ],
    });
    await firstScansOver(server);
    for (const { id, title } of await allItems(server)) items.set(title, id);
  }, 300_000);

  afterAll(async () => {
    await server.stop();
    rmSync(folder, { recursive: true, force: true });
  });

  test.each([
    ['Whole', 'remux'],
    ['Whole', 'convert'],
    ['Mended', 'remux'],
    ['Stream', 'remux'],
    ['Damaged', 'remux'],
    ['Damaged', 'convert'],
    ['Broken', 'remux'],
  ])('of %s, %s, are together', async (title, mode) => {
    const itemId = items.get(title) ?? '';
    const candidates = (
      await server.get<{ files: readonly { candidates: readonly string[] }[] }>(
        `/api/items/${itemId}/playback-info`,
      )
    ).files.flatMap((file) => file.candidates);
    const { status, body } = await server.request('POST', '/api/playback/sessions', {
      ...{ itemId, mode },
      client: { mse: candidates.filter((type) => /avc1|mp4a/.test(type)), src: [] },
    });
    expect([status, body]).toEqual([201, expect.anything()]);
    const { session } = body as { readonly session: Session };
    const sounds = session.tracks.filter(({ kind }) => kind === 'audio').map(({ id }) => id);
    const measured: { readonly at: number; readonly apart: number }[] = [];

    // The first sound, the second one, and the first again.
    for (const audio of [sounds[0], sounds[1], sounds[0]]) {
      const changed = await server.request('PATCH', session.progressUrl, { audio });
      expect(changed.status).toBe(200);
      const now = (changed.body as { readonly session: Session }).session;
      for (const second of [13, 3, 9]) measured.push(...(await measure(now, second)));
    }

    await server.request('DELETE', session.progressUrl);
    process.stdout.write(
      `${title} ${mode}: ${measured.length} flashes, the beep at most ${most(measured)} ms from it\n`,
    );
    expect(measured.length).toBeGreaterThan(12);
    expect(measured.filter(({ apart }) => apart > mostApart)).toEqual([]);
  });

  /** Plays two segments from a place: each flash with the beep nearest to it. */
  async function measure({ tracks }: Session, from: number) {
    const played = (kind: string) => {
      const chosen = tracks.find((track) => track.kind === kind && track.isSelected);
      return segmentsFrom(chosen?.url ?? '', from, `${kind}.mp4`);
    };
    const [picture, sound] = [await played('video'), await played('audio')];
    if (picture === null || sound === null) return [];
    const flashes = timesIn(picture, ['-vf', 'signalstats,metadata=print:file=-'], {
      ...{ key: 'lavfi.signalstats.YAVG', isOn: (value) => value > 120 },
    });
    const level = 'lavfi.astats.Overall.RMS_level';
    const beeps = timesIn(
      sound,
      ['-af', `asetnsamples=n=240,astats=metadata=1:reset=1,ametadata=print:key=${level}:file=-`],
      { key: level, isOn: (value) => value > -20 },
    );
    return flashes.flatMap((flash) => {
      const nearest = Math.min(...beeps.map((beep) => Math.abs(flash - beep)));
      // Where a hole took the flash, or the beep, there is nothing to compare.
      return nearest < 0.5 ? [{ at: flash, apart: nearest }] : [];
    });
  }

  /** The beginning of a track and two segments of it; `null` where one cannot be copied. */
  async function segmentsFrom(list: string, from: number, name: string) {
    const url = new URL(list, server.url);
    const text = await (await fetch(url)).text();
    let at = 0;
    const parts = segmentsOf(text).filter((segment) => {
      at += segment.seconds;
      return at > from;
    });
    const uris = ['init.mp4', ...parts.slice(0, 2).map(({ uri }) => uri)];
    const bytes: Buffer[] = [];
    for (const uri of uris) {
      const reply = await fetch(new URL(uri, url));
      if (!reply.ok) return null;
      bytes.push(Buffer.from(await reply.arrayBuffer()));
    }
    const file = path.join(folder, name);
    writeFileSync(file, Buffer.concat(bytes));
    return file;
  }
});

/** The times at which a value of a filter goes on. */
function timesIn(
  file: string,
  filter: readonly string[],
  { key, isOn }: { readonly key: string; readonly isOn: (value: number) => boolean },
): readonly number[] {
  const args = ['-v', 'error', '-nostdin', '-copyts', '-i', file, ...filter, '-f', 'null', '-'];
  const lines = execFileSync('ffmpeg', args, { maxBuffer: 1 << 27 })
    .toString()
    .split('\n');
  const times: number[] = [];
  let [now, wasOn] = [0, false];
  for (const line of lines) {
    const time = /pts_time:(-?[\d.]+)/.exec(line)?.[1];
    if (time !== undefined) now = Number(time);
    if (!line.startsWith(`${key}=`)) continue;
    const on = isOn(Number(line.slice(key.length + 1)));
    if (on && !wasOn) times.push(now);
    wasOn = on;
  }
  return times;
}

const most = (measured: readonly { readonly apart: number }[]): number =>
  Math.round(Math.max(0, ...measured.map(({ apart }) => apart)) * 1000);
