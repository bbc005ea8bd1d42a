/**
 * Segments by plan against `ffmpeg -c copy` of the same window, and what a plan reads
 * (builtin-plugins/remux). A film of a minute is made first.
 */
import { spawnSync } from 'node:child_process';
import { closeSync, openSync, readSync, statSync } from 'node:fs';
import type { SegmentPlan, TranscodeIndex, TranscodeTrack } from '../../../plugin-api/index.ts';
import { createOpenFiles } from '../../../builtin-plugins/remux/open-files.ts';
import { createTranscoding } from '../../../builtin-plugins/remux/transcoding.ts';
import { bars, hasFfmpeg, makeMedia, tone } from '../../support/media/media-files.ts';
import { createRangeHost, probeFileOf } from '../../support/media/probe-host.ts';
import { remux } from '../../support/media/remuxed.ts';
import { differences, seenSegments } from '../../support/media/seen-segments.ts';
import { median, type Figure } from '../figure.ts';
import { sized } from '../size.ts';

/** A film of a minute. */
export const film = [
  ...[...bars(60, '1280x720', '24'), ...tone(60)],
  ...[
    '-c:v',
    'libx264',
    '-preset',
    'ultrafast',
    '-pix_fmt',
    'yuv420p',
    '-b:v',
    '8M',
    '-minrate',
    '8M',
  ],
  ...['-maxrate', '8M', '-bufsize', '4M', '-x264-params', 'nal-hrd=cbr', '-g', '96'],
  ...['-c:a', 'aac', '-shortest'],
];
const rounds = sized(15, 1);
const KiB = 1024;

/** The figures 1, 3 and 4 of the design of playback. */
export async function benchPlayback(): Promise<readonly Figure[]> {
  if (!hasFfmpeg) {
    console.error('The bench playback needs ffmpeg in the path.');
    return [];
  }
  const mp4 = makeMedia('mp4', film);
  const mkv = makeMedia('mkv', ['-i', mp4, '-c', 'copy']);
  return [
    ...(await againstCopy('MP4', mp4, { cpu: 0.25, wall: 0.4 })),
    ...(await againstCopy('MKV', mkv, { cpu: 0.45, wall: 0.4 })),
    ...(await readFigures(mp4, mkv)),
    ...(await exactFigures('MP4', mp4)),
    ...(await exactFigures('MKV', mkv)),
  ];
}

interface Cost {
  readonly cpu: number;
  readonly wall: number;
}

async function againstCopy(name: string, file: string, goal: Cost): Promise<readonly Figure[]> {
  const opened = await open(file);
  const ours: Cost[] = [];
  const bare: Cost[] = [];
  for (let round = 0; round < rounds; round++) {
    const n = 3 + ((round * 7) % (opened.index.cuts.length - 4));
    ours.push(await costOf(() => opened.sendSegment(n)));
    bare.push(copyCost(file, opened.index, n));
  }
  const half = (costs: readonly Cost[], of: keyof Cost): number =>
    median(costs.map((cost) => cost[of]));
  return (['cpu', 'wall'] as const).map((of) => ({
    name: `${name}: ${of} of a segment, against ffmpeg -c copy`,
    ours: half(ours, of),
    bare: half(bare, of),
    unit: 'ms',
    goal: goal[of],
  }));
}

interface Opened {
  readonly index: TranscodeIndex;
  readonly asked: { calls: number; bytes: number };
  readonly openedBytes: number;
  /** Plans pictures and sound of a segment, and copies their bytes. */
  readonly sendSegment: (n: number) => Promise<void>;
  readonly plan: (track: TranscodeTrack, n: number) => Promise<SegmentPlan>;
}

async function open(file: string): Promise<Opened> {
  const { host, asked } = createRangeHost();
  const calls = createTranscoding(createOpenFiles());
  const probed = probeFileOf(file, statSync(file).size);
  const index = await calls.index({ file: probed, state: null }, host);
  if (index.kind !== 'read') throw new Error(index.message);
  const openedBytes = asked.bytes;
  const plan = async ({ id }: TranscodeTrack, n: number): Promise<SegmentPlan> => {
    const { timescale, cuts, duration, state } = index;
    const [start = 0, end = duration] = [cuts[n], cuts[n + 1]];
    const at = { n, timescale, start, end, file: probed, state, track: id };
    const answer = await calls.segment(at, host);
    if (answer.kind !== 'planned') throw new Error(answer.message);
    return answer;
  };
  const sendSegment = async (n: number): Promise<void> => {
    for (const track of index.tracks) copyPieces(file, await plan(track, n));
  };
  return { index, asked, openedBytes, sendSegment, plan };
}

const copyBytes = Buffer.alloc(1024 * KiB);

function copyPieces(file: string, { head, pieces }: SegmentPlan): void {
  Buffer.from(head, 'base64');
  const descriptor = openSync(file, 'r');
  for (const [offset, length] of pieces) {
    for (let at = 0; at < length; at += copyBytes.length) {
      readSync(descriptor, copyBytes, 0, Math.min(copyBytes.length, length - at), offset + at);
    }
  }
  closeSync(descriptor);
}

async function costOf(work: () => Promise<void>): Promise<Cost> {
  const [cpu, begun] = [process.cpuUsage(), performance.now()];
  await work();
  const { user, system } = process.cpuUsage(cpu);
  return { cpu: (user + system) / 1000, wall: performance.now() - begun };
}

/** CPU of a child by the times that the shell prints. */
function copyCost(file: string, { cuts, timescale, duration }: TranscodeIndex, n: number): Cost {
  const [start = 0, end = duration] = [cuts[n], cuts[n + 1]];
  const window = [
    '-ss',
    String(start / timescale),
    '-i',
    file,
    '-t',
    String((end - start) / timescale),
  ];
  const how = ['-c', 'copy', '-movflags', 'frag_keyframe+empty_moov+default_base_moof'];
  const args = ['-v', 'error', '-nostdin', ...window, ...how, '-f', 'mp4', '-y', '/dev/null'];
  const begun = performance.now();
  const script = 'ffmpeg "$@" && times';
  const { stdout } = spawnSync('sh', ['-c', script, 'sh', ...args], { encoding: 'utf8' });
  const wall = performance.now() - begun;
  const seconds = [...(stdout.trim().split('\n').at(-1) ?? '').matchAll(/(\d+)m([\d.]+)s/g)].map(
    ([, minutes, rest]) => Number(minutes) * 60 + Number(rest),
  );
  return { cpu: seconds.reduce((sum, one) => sum + one, 0) * 1000, wall };
}

async function readFigures(mp4: string, mkv: string): Promise<readonly Figure[]> {
  const fast = await open(mp4);
  const index = moovBytes(mp4);
  for (let n = 0; n < fast.index.cuts.length; n++) await fast.sendSegment(n);
  const slow = await open(mkv);
  const kib = { bare: null, unit: 'KiB' } as const;
  return [
    {
      name: 'MP4: read to open, beyond its index',
      ours: (fast.openedBytes - index) / KiB,
      goal: 64,
      ...kib,
    },
    {
      name: 'MP4: read for the plans of all segments',
      ours: (fast.asked.bytes - fast.openedBytes) / KiB,
      goal: 0,
      ...kib,
    },
    { name: 'MKV: read to open', ours: slow.openedBytes / KiB, goal: 512, ...kib },
  ];
}

function moovBytes(file: string): number {
  const args = ['-v', 'trace', '-show_entries', 'format=size', file];
  const { stderr } = spawnSync('ffprobe', args, { encoding: 'utf8', maxBuffer: 1 << 28 });
  const found = /type:'moov' parent:'root' sz: (\d+)/.exec(stderr);
  return Number(found?.[1] ?? 0);
}

async function exactFigures(name: string, file: string): Promise<readonly Figure[]> {
  const media = await remux(file);
  const [pictures, sound] = [media.track('video'), media.track('audio')];
  const seen = differences(await seenSegments(media, pictures));
  const heard = differences(await seenSegments(media, sound));
  const frameMs = (1024 / 48_000) * 1000;
  const ms = { bare: null, unit: 'ms' } as const;
  return [
    { name: `${name}: pictures, playlist against media`, ours: seen.length * 1000, goal: 1, ...ms },
    {
      name: `${name}: sound, playlist against media`,
      ours: heard.length * 1000,
      goal: frameMs + 13,
      ...ms,
    },
    {
      name: `${name}: gaps between segments`,
      ours: Math.max(seen.gap, heard.gap) * 1000,
      goal: 1,
      ...ms,
    },
  ];
}
