import { execFileSync } from 'node:child_process';
import { mkdtemp, open, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { buffer } from 'node:stream/consumers';
import { beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { testByNight } from '../../../test/support/run/test-by-night.ts';
import { silentLog } from '../../../kernel/index.ts';
import { eventually } from '../../../test/support/eventually.ts';
import { createFakeClock } from '../../../test/support/fake-clock.ts';
import { cagedTranscoder, cageNeeded } from '../../../test/support/media/caged.ts';
import { bars, keepFile, makeMedia, tone } from '../../../test/support/media/media-files.ts';
import { systemClock, type Clock } from '../../platform/clock.ts';
import type { ConversionWork } from '../transcoding/index.ts';
import { createConversions, type RunningConversions } from './create-conversions.ts';
import { describeWork } from './described-work.ts';
import { createPartStore, type PartStore } from './part-store.ts';
import { sampleOf } from '../../../test/support/run/nightly.ts';

const seconds = 20;
const starts = [0, 1, 2, 4, 6, 8, 10, 12, 16];
let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'vitrine-conversions-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
});

const film = (): string =>
  makeMedia('mkv', [
    ...[...bars(seconds, '160x120', '25'), ...tone(seconds)],
    ...['-c:v', 'libx264', '-preset', 'ultrafast', '-c:a', 'ac3', '-shortest'],
  ]);

interface Scene {
  readonly conversions: RunningConversions;
  readonly store: PartStore;
  /** How often a process was started. */
  readonly started: () => number;
}

function scene(
  source: string,
  clock: Clock = systemClock,
  mayOpen: Promise<null> = Promise.resolve(null),
): Scene {
  let started = 0;
  const store = createPartStore(path.join(folder, 'parts'), async () => 1e9);
  const conversions = createConversions({
    settings: { ffmpeg: null, mode: 'auto', searchPath: process.env['PATH'] ?? '' },
    store,
    openInput: async () => {
      started += 1;
      await mayOpen;
      const file = await open(source);
      return { fd: file.fd, close: () => file.close() };
    },
    ...{ threads: 1, clock, log: silentLog },
  });
  onTestFinished(conversions.close);
  return { conversions, store, started: () => started };
}

const stream = { isDefault: true, isForced: false };
const work = (more: Partial<ConversionWork> = {}, contentKey = 'film'): ConversionWork => ({
  file: {
    ...{ id: 'film', uri: 'file:///film.mkv', roots: [], extension: 'mkv', size: 1, modifiedAt: 1 },
    ...{ contentKey, container: 'matroska', duration: seconds, bitrate: null },
    streams: [
      { ...stream, index: 0, kind: 'video', codec: 'h264' },
      { ...stream, index: 1, kind: 'audio', codec: 'ac3' },
    ],
  },
  stream: 1,
  recipe: { kind: 'audio', audio: { codec: 'aac', channels: 2, kbps: 192, gainDb: 0 } },
  ...{ timescale: 1000, cuts: starts.map((start) => start * 1000), duration: seconds * 1000 },
  ...{ startTime: 0, sessionId: 'ada' },
  ...more,
});

const picture: Partial<ConversionWork> = {
  stream: 0,
  recipe: {
    kind: 'video',
    video: {
      ...{ codec: 'h264', height: 144, kbps: 150 },
      ...{ toneMap: false, deinterlace: false, burn: null },
    },
  },
};

/** The track, with its segments asked for in this order. */
async function play(
  { conversions }: Scene,
  asked: ConversionWork,
  order: readonly number[] = starts.map((_, n) => n),
): Promise<Buffer> {
  const parts = [await buffer((await conversions.init(asked)).body)];
  for (const n of order) parts[n + 1] = await buffer((await conversions.segment(asked, n)).body);
  return Buffer.concat(parts);
}

async function ffprobe(bytes: Buffer, entries: string): Promise<readonly string[]> {
  const file = path.join(folder, 'played.mp4');
  await writeFile(file, bytes);
  const args = ['-v', 'error', '-show_entries', entries, '-of', 'csv=p=0', file];
  return execFileSync('ffprobe', args).toString().trim().split('\n');
}

/** Sound as samples, and the largest step between two of them. */
async function largestStep(bytes: Buffer): Promise<number> {
  const file = path.join(folder, 'heard.mp4');
  await writeFile(file, bytes);
  const args = ['-v', 'error', '-i', file, '-f', 's16le', '-ac', '1', '-'];
  const raw = execFileSync('ffmpeg', args, { maxBuffer: 1e8 });
  let largest = 0;
  // The first packet of an encoder fades in, and the last one out.
  for (let at = 8192; at < raw.length - 8192; at += 2)
    largest = Math.max(largest, Math.abs(raw.readInt16LE(at) - raw.readInt16LE(at - 2)));
  return largest;
}

describe.skipIf(cagedTranscoder.kind === 'missing')(`converted sound ${cageNeeded}`, () => {
  testByNight(
    'has every packet on its grid, and joins heads from several places without a click',
    async () => {
      const one = scene(film());
      const straight = await play(one, work());
      const jumped = await play(one, work({}, 'again'), [5, 6, 7, 8, 2, 3, 4, 0, 1]);

      const times = (await ffprobe(jumped, 'packet=dts')).map((line) => Number.parseInt(line, 10));
      expect(times).toEqual(times.map((_, at) => at * 1024));
      expect(times.length).toBe(Math.ceil((seconds * 48_000) / 1024));
      expect(await largestStep(jumped)).toBeLessThanOrEqual(1.05 * (await largestStep(straight)));
    },
  );

  test('starts no second process for a second viewer', async () => {
    const one = scene(film());
    const first = await play(one, work());

    const second = await play(one, work({ sessionId: 'bob' }));

    expect([one.started(), second.equals(first)]).toEqual([1, true]);
  });

  test('ends its process when the session ends', async () => {
    const { conversions } = scene(film());
    await conversions.segment(work(), 3);

    conversions.told('ada', 'ended');
    await conversions.close();

    expect(conversions.processes()).toBe(0);
  });
});

describe.skipIf(cagedTranscoder.kind === 'missing')(`a converted picture ${cageNeeded}`, () => {
  test('has a keyframe at each cut and every frame once, also across heads', async () => {
    const bytes = await play(scene(film()), work(picture), [0, 1, 6, 7, 8, 2, 3, 4, 5]);

    const frames = await ffprobe(bytes, 'packet=pts_time,flags');
    const keyframes = frames.filter((line) => line.includes('K')).map(Number.parseFloat);
    expect(frames).toHaveLength(seconds * 25);
    expect(keyframes.map((time) => Math.round(time))).toEqual(starts);
    expect(keyframes.every((time, at) => Math.abs(time - (starts[at] ?? 0)) < 0.04)).toBe(true);
  });

  test('gives its init segment from the process of any of its segments', async () => {
    const { conversions, started } = scene(film());
    const segment = conversions.segment(work(picture), 6);
    await vi.waitUntil(() => conversions.processes() === 1);

    const init = await buffer((await conversions.init(work(picture))).body);
    await segment;

    expect([started(), init.subarray(4, 8).toString()]).toEqual([1, 'ftyp']);
  });

  testByNight(
    'rests while its viewer has a minute in hand, and ends when nobody asked for half a minute',
    async () => {
      const long = 120;
      const clock = createFakeClock();
      const source = makeMedia('mkv', [
        ...[...bars(long, '64x36', '5'), ...tone(long)],
        ...['-c:v', 'libx264', '-preset', 'ultrafast', '-c:a', 'ac3', '-shortest'],
      ]);
      const { conversions, store } = scene(source, clock);
      const cuts = Array.from({ length: long / 2 }, (_, n) => n * 2000);
      const asked = work({ ...picture, cuts, duration: long * 1000 });
      const isKept = (n: number): Promise<boolean> => store.has(describeWork(asked).partKey(n));

      await conversions.segment(asked, 0);
      // The first one that ends more than a minute behind the end of that segment.
      await eventually('there is a minute', () => isKept(31));
      await conversions.segment(work({ sessionId: 'bob' }), 0);
      expect([await isKept(32), conversions.processes() > 0]).toEqual([false, true]);
      (await conversions.segment(asked, 10)).body.destroy();
      await eventually('it goes on', () => isKept(41));
      expect(await isKept(42)).toBe(false);

      await clock.advance(29_000);
      expect(conversions.processes()).toBeGreaterThan(0);
      await clock.advance(10_000);
      await eventually('no process is left', () => conversions.processes() === 0);
    },
  );

  test('of one session has one process, however often its player seeks', async () => {
    const allAsked = Promise.withResolvers<null>();
    const { conversions, started } = scene(film(), systemClock, allAsked.promise);
    await conversions.transcoder();
    // From one end of the film to the other: each needs a process of its own.
    const places = Array.from({ length: 20 }, (_, at) => (at % 2 === 0 ? starts.length - 1 : 0));
    const asked: Promise<string>[] = [];
    for (const n of places) {
      const segment = conversions.segment(work(picture), n);
      asked.push(
        segment.then(({ body }) => {
          body.destroy();
          return 'made';
        }, String),
      );
      // None of them ends before its file is open.
      await eventually('the seek is seen', () => conversions.processes() === asked.length);
    }
    allAsked.resolve(null);
    const answers = await Promise.all(asked);

    expect(answers.at(-1)).toBe('made');
    expect(conversions.processes()).toBeLessThanOrEqual(1);
    // Most of them are left before their process may begin.
    expect(started()).toBeLessThanOrEqual(5);
  });
});

describe.skipIf(cagedTranscoder.kind === 'missing')(`a seek in a film ${cageNeeded}`, () => {
  // One keyframe in all, and sound that lasts longer than the picture.
  const long = ['-g', '500', '-ar', '44100'];
  const mpeg4 = ['-c:v', 'mpeg4', ...long, '-c:a', 'ac3'];
  const mpeg2 = ['-c:v', 'mpeg2video', ...long, '-c:a', 'ac3'];

  const films = [
    ['mkv', 'matroska', mpeg4],
    ['mp4', 'mp4', mpeg4],
    ['ts', 'mpegts', mpeg2],
  ] as const;
  test.each(sampleOf(films, 1))(
    '%s has all pictures of the middle and of the end',
    async (extension, container, codecs) => {
      const source = makeMedia(extension, [...bars(9, '160x120', '25'), ...tone(12), ...codecs]);
      const one = scene(source);
      const cuts = [0, 4000, 8000, 10_000];
      const file = { ...work().file, container, duration: 12 };
      // Each segment is asked for by itself, as after a seek.
      const asked = (n: number) =>
        work({ ...picture, cuts, duration: 12_000, file: { ...file, contentKey: `seek ${n}` } });

      const frames: number[] = [];
      for (const n of [1, 2, 3]) {
        const init = await buffer((await one.conversions.init(asked(0))).body);
        const segment = await buffer((await one.conversions.segment(asked(n), n)).body);
        frames.push((await ffprobe(Buffer.concat([init, segment]), 'packet=pts_time')).length);
      }

      expect(frames).toEqual([100, 50, 50]);
    },
  );
});

describe.skipIf(cagedTranscoder.kind === 'missing')(`a conversion that fails ${cageNeeded}`, () => {
  const broken = (): string => keepFile('mkv', '#EXTM3U\n#EXTINF:2,\n/etc/passwd\n');

  test('is tried twice and then not again for a while', async () => {
    const { conversions, started } = scene(broken());
    const asked = async () => conversions.segment(work(), 0);

    await expect(asked()).rejects.toMatchObject({ code: 'transcode_failed' });
    await expect(asked()).rejects.toMatchObject({ code: 'transcode_failed' });

    expect([started(), conversions.processes()]).toEqual([2, 0]);
  });

  test('for a container that no reader is for, names it', async () => {
    const { conversions } = scene(film());
    const asked = { ...work(), file: { ...work().file, container: 'hls' } };

    await expect(conversions.init(asked)).rejects.toThrow('The container of the file is not');
  });

  test('because the disk takes nothing, says so', async () => {
    const source = await open(film());
    const conversions = createConversions({
      settings: { ffmpeg: null, mode: 'auto', searchPath: process.env['PATH'] ?? '' },
      store: { ...createPartStore(path.join(folder, 'parts'), async () => 1e9), write: diskFull },
      openInput: async () => ({ fd: source.fd, close: async () => undefined }),
      ...{ threads: 1, clock: systemClock, log: silentLog },
    });
    onTestFinished(() => source.close());

    await expect(conversions.segment(work(), 0)).rejects.toMatchObject({
      code: 'insufficient_storage',
    });
    await conversions.close();
  });
});

const diskFull = (): Promise<never> => Promise.reject(new Error('ENOSPC'));

test('without a transcoder each request says why', async () => {
  const conversions = createConversions({
    settings: { ffmpeg: '/no/ffmpeg', mode: 'auto', searchPath: '' },
    store: createPartStore(folder, async () => 1000),
    openInput: () => Promise.reject(new Error('nothing is opened')),
    ...{ threads: 1, clock: systemClock, log: silentLog },
  });

  expect(conversions.missing()).toContain('/no/ffmpeg of --ffmpeg');
  await expect(conversions.segment(work(), 0)).rejects.toMatchObject({
    code: 'transcoder_missing',
  });
});
