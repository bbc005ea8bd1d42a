/** The jobs that look at media: what they make, and where clients find it. */
import { execFileSync } from 'node:child_process';
import { copyFile, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { testByNight } from '../support/run/test-by-night.ts';
import { cagedTranscoder, cageNeeded } from '../support/media/caged.ts';
import { bars, makeMedia } from '../support/media/media-files.ts';
import { jobsOver } from '../support/servers/scan.ts';
import { adminToken, startServer, until, type TestServer } from '../support/servers/server.ts';

const seconds = 25;
const isReady = cagedTranscoder.kind === 'ready';
let folder: string;
let server: TestServer;
let library: Readonly<Record<string, string>> = {};

const song = (volume: string, no: number): string =>
  makeMedia('flac', [
    ...['-f', 'lavfi', '-i', `sine=frequency=440:sample_rate=48000:duration=4`],
    ...['-af', `volume=${volume}`, '-metadata', `title=Song ${no}`, '-metadata', `track=${no}`],
    ...['-metadata', 'album=Tones', '-metadata', 'artist=Sine', '-metadata', 'album_artist=Sine'],
  ]);

/** The parts of one tone, whose ends no frame of MP3 has. */
const rate = 44_100;
const part = 2 * rate + 333;
/** A title does not say at which place it is. */
const parts = ['Last', 'Middle', 'First'].toReversed().map((title, at) => ({ title, at }));
const partOfTone = ({ title, at }: (typeof parts)[number]): string =>
  makeMedia('mp3', [
    ...['-f', 'lavfi', '-i', `sine=frequency=441:sample_rate=${rate}:duration=8`],
    ...['-af', `atrim=start_sample=${at * part}:end_sample=${(at + 1) * part},asetpts=N/SR/TB`],
    ...['-c:a', 'libmp3lame', '-b:a', '192k'],
    ...['-metadata', `title=${title}`, '-metadata', `track=${at + 1}`, '-metadata', 'artist=Sine'],
    ...['-metadata', 'album=One tone', '-metadata', 'album_artist=Sine'],
  ]);

beforeAll(async () => {
  if (!isReady) return;
  folder = await mkdtemp(path.join(tmpdir(), 'vitrine-media-jobs-'));
  const film = makeMedia('mkv', [
    ...bars(seconds, '320x180', '24'),
    ...['-c:v', 'libx264', '-preset', 'ultrafast', '-g', '96', '-pix_fmt', 'yuv420p'],
  ]);
  await mkdir(path.join(folder, 'films/Bars (2001)'), { recursive: true });
  await copyFile(film, path.join(folder, 'films/Bars (2001)/Bars (2001).mkv'));
  await mkdir(path.join(folder, 'music/Sine/Tones'), { recursive: true });
  await copyFile(song('0dB', 1), path.join(folder, 'music/Sine/Tones/01 Song 1.flac'));
  await copyFile(song('-12dB', 2), path.join(folder, 'music/Sine/Tones/02 Song 2.flac'));
  await mkdir(path.join(folder, 'live/Sine/One tone'), { recursive: true });
  for (const one of parts)
    await copyFile(partOfTone(one), path.join(folder, `live/Sine/One tone/${one.title}.mp3`));
  const roots = ['movies:Films:films', 'music:Songs:music', 'music:Live:live'];
  server = await startServer({
    args: roots.flatMap((root) => ['--library', root.replace(/:(\w+)$/, `:${folder}/$1`)]),
  });
  await jobsOver(server);
  const { libraries } = await server.get<{ libraries: { id: string; name: string }[] }>(
    '/api/libraries',
  );
  library = Object.fromEntries(libraries.map(({ name, id }) => [name, id]));
}, 120_000);

afterAll(async () => {
  if (!isReady) return;
  await server.stop();
  await rm(folder, { recursive: true, force: true });
});

interface Shown {
  readonly id: string;
  readonly title: string;
  readonly assets: Readonly<Record<string, string>>;
  readonly files: readonly { readonly loudness: Readonly<Record<string, number>> | null }[];
}

const itemsOf = async (name: string): Promise<readonly Shown[]> =>
  (await server.get<{ items: readonly Shown[] }>(`/api/items?libraryId=${library[name]}`)).items;

/** Runs a job for a library, and gives its result. It asks seldom: the job gives way to requests. */
async function run(type: string, name: string): Promise<unknown> {
  const body = { type, libraryId: library[name] };
  const { job } = (await server.request('POST', '/api/jobs', body)).body as { job: { id: string } };
  let result: unknown = null;
  const isOver = async () => {
    const { job: now } = await server.get<{ job: { status: string; result: unknown } }>(
      `/api/jobs/${job.id}`,
    );
    ({ result } = now);
    return now.status === 'completed';
  };
  await until(`${type} is over`, isOver, undefined, 300);
  return result;
}

describe.skipIf(!isReady)(`jobs that look at media ${cageNeeded}`, () => {
  testByNight('give a film without a picture one of its frames', async () => {
    expect((await itemsOf('Films'))[0]?.assets).toEqual({});

    expect(await run('stills', 'Films')).toEqual({ made: 1, failed: 0 });

    const thumbnail = (await itemsOf('Films'))[0]?.assets['thumbnail'] ?? '';
    const headers = { authorization: `Bearer ${adminToken}` };
    const reply = await fetch(new URL(thumbnail, server.url), { headers });
    expect([reply.status, reply.headers.get('content-type')]).toEqual([200, 'image/jpeg']);
    expect(await run('stills', 'Films')).toEqual({ made: 0, failed: 0 });
  });

  test('make little pictures for the bar of a player', async () => {
    expect(await run('trickplay', 'Films')).toEqual({ made: 1, failed: 0 });

    const [film] = await itemsOf('Films');
    const info = await server.get<{ files: readonly { trickplay: unknown }[] }>(
      `/api/items/${film?.id}/playback-info`,
    );
    expect(info.files[0]?.trickplay).toEqual({
      ...{ width: 320, height: 180, columns: 10, rows: 10, interval: 10, count: 3 },
    });
    const { body } = await server.request('POST', '/api/playback/sessions', {
      itemId: film?.id,
      client: { mse: [], src: [], profile: 'vlc' },
    });
    const { trickplayUrl } = (body as { session: { trickplayUrl: string } }).session;
    const cues = await (await fetch(new URL(trickplayUrl, server.url))).text();
    expect(cues).toContain('00:00:10.000 --> 00:00:20.000\n0.jpg#xywh=320,0,320,180');
    const sheet = await fetch(new URL('0.jpg', new URL(trickplayUrl, server.url)));
    const file = path.join(folder, 'sheet.jpg');
    await writeFile(file, Buffer.from(await sheet.arrayBuffer()));
    const size = ['-v', 'error', '-show_entries', 'stream=width,height', '-of', 'csv=p=0', file];
    expect(String(execFileSync('ffprobe', size)).trim()).toBe('3200,1800');
  });

  testByNight('measure how loud songs and their album are', async () => {
    expect(await run('loudness', 'Songs')).toEqual({ made: 2, failed: 0 });

    const songs = await itemsOf('Songs');
    const [loud, quiet] = ['Song 1', 'Song 2'].map(
      (title) => songs.find((one) => one.title === title)?.files[0]?.loudness,
    );
    expect(loud?.['integratedLufs']).toBeCloseTo(-21.8, 0);
    expect(Number(quiet?.['trackGainDb']) - Number(loud?.['trackGainDb'])).toBeCloseTo(12, 0);
    expect(loud?.['albumGainDb']).toBe(quiet?.['albumGainDb']);
    expect(Number(loud?.['albumGainDb'])).toBeGreaterThan(Number(loud?.['trackGainDb']));
    expect(await run('loudness', 'Songs')).toEqual({ made: 0, failed: 0 });
  });

  testByNight(
    'leave an album without gaps: its files come in their order, whole, and with exact lengths',
    async () => {
      const { entities } = await server.get<{ entities: readonly { id: string; name: string }[] }>(
        `/api/entities?type=album&libraryId=${library['Live']}`,
      );
      const { items } = await server.get<{ items: readonly Shown[] }>(
        `/api/entities/${entities[0]?.id}/items`,
      );
      const heard: Buffer[] = [];
      const lengths: number[] = [];
      for (const { id } of items) {
        const { body } = await server.request('POST', '/api/playback/sessions', {
          itemId: id,
          client: { mse: [], src: ['audio/mpeg'] },
        });
        const { session } = body as { session: { mode: string; url: string; duration: number } };
        expect(session.mode).toBe('direct');
        lengths.push(session.duration);
        const file = path.join(folder, `${id}.mp3`);
        const reply = await fetch(new URL(session.url, server.url));
        await writeFile(file, Buffer.from(await reply.arrayBuffer()));
        // The decoder drops what the encoder added, of which the head of the file tells.
        heard.push(execFileSync('ffmpeg', ['-v', 'error', '-i', file, '-f', 's16le', '-']));
      }

      expect(items.map(({ title }) => title)).toEqual(['First', 'Middle', 'Last']);
      // To the millisecond: with what the encoder adds, each would be longer by a twentieth of a second.
      for (const length of lengths) expect(Math.abs(length - part / rate)).toBeLessThan(0.001);
      expect(heard.map(({ length }) => length / 2)).toEqual([part, part, part]);
      const tone = Buffer.concat(heard);
      const jumps = Array.from({ length: tone.length / 2 - 1 }, (_, at) =>
        Math.abs(tone.readInt16LE(2 * at + 2) - tone.readInt16LE(2 * at)),
      );
      const atJoints = [1, 2].map((no) => jumps[no * part - 1] ?? Infinity);
      const usual = jumps.slice(rate, rate + 4410).reduce((most, jump) => Math.max(most, jump), 0);
      expect(Math.max(...atJoints)).toBeLessThan(1.5 * usual);
    },
  );

  test('look at no library that does without them', async () => {
    const { status } = await server.request('PATCH', `/api/libraries/${library['Films']}`, {
      mediaJobs: ['trickplay'],
    });

    expect(status).toBe(200);
    const all = await server.get<{ libraries: readonly { mediaJobs: readonly string[] }[] }>(
      '/api/libraries',
    );
    expect(all.libraries.map(({ mediaJobs }) => mediaJobs)).toEqual([
      ['trickplay'],
      ['loudness', 'stills', 'trickplay'],
      ['loudness', 'stills', 'trickplay'],
    ]);
  });
});
