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
import { makeFolder } from '../../../kernel/index.ts';

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

/** A conversion of a picture that ended. */
export interface DoneConversion {
  /** Lines of the source, and of what was made. */
  readonly sourceHeight: number;
  readonly height: number;
  /** Seconds of film in a second of work. */
  readonly rate: number;
  /** Whether it had the machine for itself, and did nothing but decode, scale and encode. */
  readonly isPlain: boolean;
}

const mostFactor = 8;

/**
 * The work as a conversion shows it. One that was faster proves that the machine can; one that was
 * slower may have had a busy machine, so it counts half.
 */
export function correctedWork(
  work: MeasuredWork,
  { sourceHeight: lines, height, rate, isPlain }: DoneConversion,
): MeasuredWork {
  // A smaller source costs less to read.
  const saved = workAt(work, 0) * (1 - Math.min(1, lines / sourceHeight) ** 2);
  const expected = workAt(work, height) - saved;
  if (!(rate > 0) || !(expected > 0)) return work;
  const exact = Math.min(mostFactor, Math.max(1 / mostFactor, 1 / rate / expected));
  if (exact > 1 && !isPlain) return work;
  const factor = exact > 1 ? Math.sqrt(exact) : exact;
  return { high: work.high * factor, low: work.low * factor };
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
export type LearntHeight = ReturnType<typeof createLearntHeight>;

/** What is known, and of what it was concluded. */
interface Known {
  readonly height: number | null;
  readonly measured?: Measured;
}

interface Measured {
  readonly key: string;
  /** Unix milliseconds. */
  readonly at: number;
  readonly work: MeasuredWork;
}

export function createLearntHeight(parts: LearntHeightParts) {
  const { transcoder, threads, isFree, speed, now } = parts;
  let known: Known | null =
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
        stretch: { from: 0, to: filmSeconds * 1_000_000 },
        cuts: [0, 1_000_000],
        threads,
        transfer: 'pq',
        burn: null,
        encoder,
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
    const kept = parseKept(await readFile(file, 'utf8').catch(() => ''), key);
    if (kept !== null) known = knownOf(kept);
    if ((kept !== null && !isOld(kept, now())) || !isFree()) return;
    const work = await measure(found);
    // What was measured beside the film of somebody says nothing about the machine.
    if (isFree()) await keep(file, { key, at: now(), work });
  }

  async function keep(file: string, measured: Measured): Promise<void> {
    known = knownOf(measured);
    const { key, at, work } = measured;
    await makeFolder(path.dirname(file));
    await writeFile(`${file}.new`, JSON.stringify({ key, at, ...work }));
    await rename(`${file}.new`, file);
  }

  return {
    /** `null` = any height, or not known. */
    known: (): number | null => known?.height ?? null,
    /** Measures it, if it is not known for this machine, or was low an hour ago. Never rejects. */
    learn: async (): Promise<void> => {
      if (speed.kind !== 'learnt') return;
      const { measured } = known ?? {};
      if (known !== null && (measured === undefined || !isOld(measured, now()))) return;
      learning ??= learnNow(speed)
        .catch(() => {
          // What cannot be measured is not tried at each film.
          known = { height: known?.height ?? null };
        })
        .finally(() => {
          learning = null;
        });
      await learning;
    },
    /** Corrects what was measured. */
    done: (conversion: DoneConversion): void => {
      const { measured } = known ?? {};
      if (speed.kind !== 'learnt' || measured === undefined || learning !== null) return;
      const work = correctedWork(measured.work, conversion);
      if (work === measured.work) return;
      // A disk that takes nothing keeps the figure of before.
      keep(speed.file, { ...measured, at: now(), work }).catch(() => undefined);
    },
  };
}

const knownOf = (measured: Measured): Known => ({ height: heightFor(measured.work), measured });

/** A machine that was slow may only have been busy: it is measured again after an hour. */
const slowMs = 3_600_000;
const usualHeight = 1080;

const isOld = ({ work, at }: Measured, now: number): boolean =>
  (heightFor(work) ?? usualHeight) < usualHeight && Math.abs(now - at) > slowMs;

/** What was measured for this machine, or `null`. */
function parseKept(text: string, key: string): Measured | null {
  try {
    const { key: of, at, high, low } = JSON.parse(text) as Readonly<Record<string, unknown>>;
    const isWork = (value: unknown): value is number =>
      typeof value === 'number' && value > 0 && value < 1000;
    if (of !== key || !isWork(high) || !isWork(low) || typeof at !== 'number') return null;
    return { key, at, work: { high, low } };
  } catch {
    return null;
  }
}
