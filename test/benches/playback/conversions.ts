/** Conversion: the start, the cage, trickplay, a second viewer, joins of sound, and kill -9. */
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { mkdtemp, open, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { buffer } from 'node:stream/consumers';
import { silentLog } from '../../../kernel/index.ts';
import type { VideoRecipe } from '../../../plugin-api/index.ts';
import { systemClock } from '../../../src/platform/clock.ts';
import {
  createConversions,
  createPartStore,
  type RunningConversions,
} from '../../../src/viewing/conversion/index.ts';
import { videoArguments } from '../../../src/viewing/conversion/recipe-arguments.ts';
import { sheetArguments } from '../../../src/viewing/conversion/study-arguments.ts';
import type { ConversionWork } from '../../../src/viewing/transcoding/index.ts';
import { sheetWorkOf } from '../../../src/viewing/trickplay/index.ts';
import { cagedTranscoder, cageOf, runCaged, whyNot } from '../../support/media/caged.ts';
import { bars, makeMedia, tone } from '../../support/media/media-files.ts';
import {
  createKilledScene,
  filmFrames,
  killWhileConverting,
  playFromCache,
} from '../../support/playback/killed-conversion.ts';
import { median, type Figure } from '../figure.ts';
import { isSmallest, sized } from '../size.ts';

const seconds = sized(60, 36);
/** How often it is repeated where it has to be long. */
const repeats = sized(4, 0);
const film = (): string =>
  makeMedia('mkv', [
    ...[...bars(seconds, isSmallest ? '640x360' : '1920x1080', '24'), ...tone(seconds)],
    ...['-c:v', 'libx264', '-preset', 'ultrafast', '-pix_fmt', 'yuv420p', '-g', '96'],
    ...['-c:a', 'ac3', '-shortest'],
  ]);
const rounds = sized(3, 1);
const kills = sized(10, 1);

/** The figures 5, 6, 7, 9, 10 and 12 of the design of playback. */
export async function benchConversions(): Promise<readonly Figure[]> {
  if (cagedTranscoder.kind === 'missing') {
    console.error(`The figures of conversion are skipped: ${cagedTranscoder.why}`);
    return [];
  }
  return [
    await firstSegmentFigure(),
    await joinFigure(),
    ...(await cageFigures('bwrap')),
    ...(await cageFigures('landlock')),
    await trickplayFigure(),
    ...(await secondViewerFigures()),
    ...(await killFigures()),
  ];
}

const recipe: VideoRecipe = {
  ...{ codec: 'h264', height: sized(720, 240), kbps: 4000 },
  ...{ toneMap: false, deinterlace: false, burn: null },
};

interface Scene {
  readonly conversions: RunningConversions;
  readonly started: () => number;
  readonly close: () => Promise<void>;
}

async function openScene(file: string, mode: 'auto' | 'none' = 'auto'): Promise<Scene> {
  const folder = await mkdtemp(path.join(tmpdir(), 'vitrine-bench-conversion-'));
  let started = 0;
  const conversions = createConversions({
    settings: { ffmpeg: null, mode, searchPath: process.env['PATH'] ?? '' },
    store: createPartStore(folder, async () => 1e9),
    openInput: async () => {
      started += 1;
      const source = await open(file);
      return { fd: source.fd, close: () => source.close() };
    },
    ...{ threads: 2, clock: systemClock, log: silentLog },
  });
  await conversions.transcoder();
  const close = async (): Promise<void> => {
    await conversions.close();
    await rm(folder, { recursive: true });
  };
  return { conversions, started: () => started, close };
}

const work = (cuts: readonly number[], more: Partial<ConversionWork> = {}): ConversionWork => ({
  file: {
    ...{ id: 'film', uri: 'file:///film.mkv', roots: [], extension: 'mkv', size: 1, modifiedAt: 1 },
    ...{ contentKey: 'film', container: 'matroska', duration: seconds, bitrate: null },
    streams: [
      { index: 0, kind: 'video', codec: 'h264' },
      { index: 1, kind: 'audio', codec: 'ac3' },
    ],
  },
  ...{ stream: 0, recipe: { kind: 'video', video: recipe } },
  ...{ timescale: 1, cuts, duration: seconds, startTime: 0, sessionId: 'ada' },
  ...more,
});

/** The wall time until a segment is there, in a cache without it. */
async function waitFor(wanted: ConversionWork, n: number): Promise<number> {
  const { conversions, close } = await openScene(film());
  const begun = performance.now();
  await buffer((await conversions.segment(wanted, n)).body);
  const wall = performance.now() - begun;
  await close();
  return wall;
}

async function firstSegmentFigure(): Promise<Figure> {
  const [short, long]: [number[], number[]] = [[], []];
  for (let round = 0; round < rounds; round += 1) {
    short.push(await waitFor(work([0, 1, 2, 4, 6, 8]), 0));
    long.push(await waitFor(work([0, 6, 12]), 0));
  }
  return {
    name: 'the first segment, against one of 6 s',
    ...{ ours: median(short), bare: median(long), unit: 'ms', goal: 0.3 },
  };
}

const sound: Partial<ConversionWork> = {
  stream: 1,
  recipe: { kind: 'audio', audio: { codec: 'aac', channels: 2, kbps: 192, gainDb: 0 } },
};

/** The largest step between two samples, of sound made in this order of segments. */
async function largestStep(cuts: readonly number[], order: readonly number[]): Promise<number> {
  const { conversions, close } = await openScene(film());
  const wanted = work(cuts, sound);
  const parts = [await buffer((await conversions.init(wanted)).body)];
  for (const n of order) parts[n + 1] = await buffer((await conversions.segment(wanted, n)).body);
  await close();
  const file = path.join(tmpdir(), `vitrine-bench-joined-${process.pid}.mp4`);
  await writeFile(file, Buffer.concat(parts));
  const args = ['-v', 'error', '-i', file, '-f', 's16le', '-ac', '1', '-'];
  const raw = execFileSync('ffmpeg', args, { maxBuffer: 1e9 });
  await rm(file);
  let largest = 0;
  for (let at = 8192; at < raw.length - 8192; at += 2)
    largest = Math.max(largest, Math.abs(raw.readInt16LE(at) - raw.readInt16LE(at - 2)));
  return largest;
}

async function joinFigure(): Promise<Figure> {
  const cuts = Array.from({ length: seconds / 6 }, (_, n) => n * 6);
  return {
    name: 'the largest step in sound of several heads',
    ours: await largestStep(
      cuts,
      [7, 3, 9, 0, 5, 1, 2, 4, 6, 8].filter((n) => n < cuts.length),
    ),
    bare: await largestStep([0], [0]),
    ...{ unit: 'units', goal: 1.05 },
  };
}

/** Of the cage of one tier, if it holds here. */
async function cageFigures(tier: 'bwrap' | 'landlock'): Promise<readonly Figure[]> {
  const why = await whyNot(tier);
  if (why !== null) {
    console.error(`The figure of the cage ${tier} is skipped: ${why}`);
    return [];
  }
  const walls = { caged: [] as number[], none: [] as number[] };
  for (let round = 0; round < rounds; round += 1)
    for (const way of ['caged', 'none'] as const) {
      const cage = cageOf(way === 'caged' ? tier : 'none');
      const stream = { url: cage.inputUrl, container: 'matroska', ordinal: 0 };
      const stretch = { from: 20_000_000, to: 26_000_000 };
      const more = { cuts: [20_000_000], threads: 2, transfer: 'pq', burn: null } as const;
      const begun = performance.now();
      await runCaged(cage, videoArguments(stream, recipe, { stretch, ...more }), film());
      walls[way].push(performance.now() - begun);
    }
  return [
    {
      name: `ffmpeg in the cage ${tier}, against ffmpeg without it`,
      ...{ ours: median(walls.caged), bare: median(walls.none), unit: 'ms', goal: 1.2 },
    },
  ];
}

const ticksToMs = 10;

/** Milliseconds of processor of all children that have ended. */
function childCpu(): number {
  const [, rest = ''] = /^.*\)(.*)$/s.exec(readFileSync('/proc/self/stat', 'utf8')) ?? [];
  const fields = rest.trim().split(' ');
  return (Number(fields[13]) + Number(fields[14])) * ticksToMs;
}

async function cpuOf(run: () => Promise<unknown>): Promise<number> {
  const before = childCpu();
  await run();
  return childCpu() - before;
}

async function trickplayFigure(): Promise<Figure> {
  // Of a process in the cage the system does not add up the processor.
  const cage = cageOf('none');
  const file = makeMedia('mkv', [
    '-stream_loop',
    String(repeats),
    '-i',
    film(),
    '-map',
    '0:v',
    '-c',
    'copy',
  ]);
  const shape = sheetWorkOf({ width: 1920, height: 1080 }, seconds * (repeats + 1));
  const stream = { url: cage.inputUrl, container: 'matroska', ordinal: 0 };
  const ours = await cpuOf(() =>
    runCaged(cage, sheetArguments(stream, { ...shape, transfer: null }), file),
  );
  const decoding = ['-v', 'error', '-i', file, '-map', '0:v', '-vf', 'fps=1/10,scale=320:180'];
  const bare = await cpuOf(async () =>
    execFileSync('ffmpeg', [...decoding, '-f', 'null', '-'], { stdio: 'ignore' }),
  );
  return { name: 'trickplay, against decoding all of it', ours, bare, unit: 'ms CPU', goal: 0.1 };
}

async function secondViewerFigures(): Promise<readonly Figure[]> {
  const all = [0, 1, 2, 4, 6, 8, 10, 12, 14, 16, 20, 24, 28, 32];
  const end = sized(all.length - 1, 4);
  const cuts = all.slice(0, end);
  // Of a process in the cage the system does not add up the processor.
  const scene = await openScene(film(), 'none');
  const view = async (sessionId: string): Promise<void> => {
    const wanted = work(cuts, { duration: all[end] ?? 0, sessionId });
    for (const [n] of cuts.entries())
      await buffer((await scene.conversions.segment(wanted, n)).body);
  };
  const cpu = async (sessionId: string): Promise<number> => {
    const own = process.cpuUsage();
    const children = await cpuOf(async () => {
      await view(sessionId);
      // The processor of a child counts when it has ended.
      while (scene.conversions.processes() > 0)
        await new Promise((resolve) => setTimeout(resolve, 20));
    });
    const { user, system } = process.cpuUsage(own);
    return children + (user + system) / 1000;
  };
  const first = await cpu('ada');
  const started = scene.started();
  const second = await cpu('bob');
  const more = scene.started() - started;
  await scene.close();
  const name = 'a second viewer of the same film';
  return [
    { name: `${name}: new processes`, ours: more, bare: null, unit: 'processes', goal: 0 },
    { name: `${name}: processor`, ours: second, bare: first, unit: 'ms CPU', goal: 0.05 },
  ];
}

async function killFigures(): Promise<readonly Figure[]> {
  const scene = await createKilledScene();
  const lives: number[] = [];
  let held = 0;
  for (let kill = 0; kill < kills; kill += 1) {
    const moment = { from: (kill * 4) % 13, afterMs: 300 + ((kill * 370) % 1500) };
    const life = await killWhileConverting(scene, moment);
    lives.push(life.ms);
    held += life.held;
  }
  const { frames, other } = await playFromCache(scene);
  await scene.remove();
  const name = `${kills} x kill -9 of the server with ${held} processes`;
  const lost = filmFrames - frames + other.length;
  return [
    {
      name: `${name}: the longest life of ffmpeg`,
      ours: Math.max(...lives),
      bare: null,
      unit: 'ms',
      goal: 1000,
    },
    { name: `${name}: frames lost, files left over`, ours: lost, bare: null, unit: '', goal: 0 },
  ];
}
