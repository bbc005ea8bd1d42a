/**
 * Learns how high pictures may be that this machine converts as fast as they play. It converts a film of
 * two seconds, as films of people are, to two heights, while nobody's film is converted. What was learnt
 * is kept with the machine and the transcoder for which it holds.
 */
import { mkdtemp, open, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { answerOf } from './caged-answer.ts';
import { videoArguments } from './recipe-arguments.ts';
import { pictureEncoders } from './picture-encoders.ts';
import { speedSource } from './test-arguments.ts';
import type { NoTranscoder, Transcoder } from './transcoder.ts';
import { makeFolder } from '../../platform/make-folder.ts';

/** Heights that are offered, the highest first. */
const heights = [2160, 1440, 1080, 720, 480, 360, 240] as const;
const leastHeight = 240;
/** A film needs this many times its own speed: sound is converted beside it, and the server works. */
const margin = 1.2;
const filmSeconds = 2;
/** A run that takes so long is slower than the film, and its end is not waited for. */
const mostMs = 2500;
const sourceHeight = 1080;

/** Seconds of work for a second of film, at two heights. */
export interface MeasuredWork {
  readonly high: number;
  readonly low: number;
}

/** The two heights that are measured. */
export const measuredHeights = { high: 1080, low: 480 } as const;

/** Work for a second of film: reading it, and encoding by the number of pixels. */
export function workAt({ high, low }: MeasuredWork, height: number): number {
  const { high: above, low: below } = measuredHeights;
  // A source of more pixels costs more to read, too.
  if (height > sourceHeight) return high * (height / sourceHeight) ** 2;
  const perPixel = Math.max(0, high - low) / (above ** 2 - below ** 2);
  return Math.max(0, low - perPixel * below ** 2) + perPixel * height ** 2;
}

/** The highest picture that is converted in time; `null` = any that is converted at all. */
export function heightFor(work: MeasuredWork): number | null {
  const fits = heights.find((height) => workAt(work, height) * margin <= 1);
  return fits === heights[0] ? null : (fits ?? leastHeight);
}

/** How it is known how high pictures may be. */
export type SpeedSettings =
  | { readonly kind: 'any' }
  /** The admin says it. */
  | { readonly kind: 'fixed'; readonly height: number }
  | {
      readonly kind: 'learnt';
      /** Where what was measured is kept. */
      readonly file: string;
      /** Names the processor and its cores. */
      readonly machine: string;
    };

type LearntSpeed = Extract<SpeedSettings, { kind: 'learnt' }>;

/** What learning needs. */
export interface LearntHeightParts {
  readonly transcoder: () => Promise<Transcoder | NoTranscoder>;
  readonly threads: number;
  /** Whether nobody needs the machine. */
  readonly isFree: () => boolean;
  readonly speed: SpeedSettings;
  /** Unix milliseconds. */
  readonly now: () => number;
}

/** What the machine converts in time. */
export interface LearntHeight {
  /** `null` = any height, or not known. */
  readonly known: () => number | null;
  /** Measures it, if it is not known for this machine. Never rejects. */
  readonly learn: () => Promise<void>;
}

/** Creates it. */
export function createLearntHeight(parts: LearntHeightParts): LearntHeight {
  const { transcoder, threads, isFree, speed, now } = parts;
  let known: { readonly height: number | null } | null =
    speed.kind === 'learnt' ? null : { height: speed.kind === 'fixed' ? speed.height : null };
  let learning: Promise<void> | null = null;

  async function secondsFor(found: Transcoder, source: string, height: number): Promise<number> {
    const { cage, encoder } = found;
    const input = await open(source);
    const recipe = { codec: 'h264', kbps: 4000, toneMap: false, deinterlace: false } as const;
    const args = videoArguments(
      { url: cage.inputUrl, container: 'matroska', ordinal: 0 },
      { ...recipe, height, burn: null },
      {
        ...{ stretch: { from: 0, to: filmSeconds * 1_000_000 }, cuts: [0, 1_000_000] },
        ...{ threads, transfer: 'pq', burn: null, encoder },
      },
    );
    const limits = { memoryBytes: pictureEncoders[encoder.kind].memoryBytes, cpuSeconds: 30 };
    const began = performance.now();
    const { devices } = encoder;
    const run = { input: input.fd, limits, devices, mostMs };
    const { code, bytes } = await answerOf(cage, args, run);
    await input.close();
    const isCut = performance.now() - began >= mostMs;
    if (isCut) return mostMs / 1000 / filmSeconds;
    if (code !== 0 || bytes === 0) throw new Error('The transcoder did not convert the test film.');
    return (performance.now() - began) / 1000 / filmSeconds;
  }

  async function measure(found: Transcoder): Promise<MeasuredWork> {
    const folder = await mkdtemp(path.join(tmpdir(), 'vitrine-speed-'));
    try {
      const source = path.join(folder, 'film.mkv');
      await writeFile(source, (await answerOf(found.cage, speedSource())).output);
      const high = await secondsFor(found, source, measuredHeights.high);
      return { high, low: Math.min(high, await secondsFor(found, source, measuredHeights.low)) };
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  }

  async function learnNow({ file, machine }: LearntSpeed): Promise<void> {
    const found = await transcoder();
    if (found.kind === 'missing') return;
    const key = `1 ${found.version} ${found.encoder.kind} ${threads} ${machine}`;
    const kept = parseKept(await readFile(file, 'utf8').catch(() => ''), key, now());
    if (kept !== null) known = { height: heightFor(kept) };
    if (kept !== null || !isFree()) return;
    const work = await measure(found);
    // What was measured beside the film of somebody says nothing about the machine.
    if (!isFree()) return;
    known = { height: heightFor(work) };
    await makeFolder(path.dirname(file));
    await writeFile(`${file}.new`, JSON.stringify({ key, at: now(), ...work }));
    await rename(`${file}.new`, file);
  }

  return {
    known: () => known?.height ?? null,
    learn: async () => {
      if (known !== null || speed.kind !== 'learnt') return;
      learning ??= learnNow(speed)
        .catch(() => {
          // What cannot be measured is not tried at each film.
          known = { height: null };
        })
        .finally(() => {
          learning = null;
        });
      await learning;
    },
  };
}

/** A machine that was slow may only have been busy: it is measured again after a day. */
const slowMs = 24 * 3_600_000;
const usualHeight = 1080;

/** What was measured for this machine, or `null`. */
function parseKept(text: string, key: string, now: number): MeasuredWork | null {
  try {
    const { key: of, at, high, low } = JSON.parse(text) as Readonly<Record<string, unknown>>;
    const isWork = (value: unknown): value is number =>
      typeof value === 'number' && value > 0 && value < 1000;
    if (of !== key || !isWork(high) || !isWork(low) || typeof at !== 'number') return null;
    const isSlow = (heightFor({ high, low }) ?? usualHeight) < usualHeight;
    return isSlow && Math.abs(now - at) > slowMs ? null : { high, low };
  } catch {
    return null;
  }
}
