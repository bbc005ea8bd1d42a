/**
 * How long a program stream is. It has no index, and its bit rate says little, so the length comes
 * from its clock. In joined files the clock begins again, and each run of it counts by itself.
 */
import { ReaderError } from '../../../../plugin-api/index.ts';
import { readUpTo } from '../../../media-headers/bytes/byte-source.ts';
import { findPack, packAt, packetsIn } from '../../../media-headers/mpeg-ps/packets.ts';
import type { MediaSource } from '../../media.ts';

/** A head of packets: where it begins, and what the clock says. */
interface Tick {
  readonly at: number;
  readonly clock: number;
}

const pieceBytes = 4 * 1024;
const widePieceBytes = 64 * 1024;
/** Two places that are this close are read with all between them. */
const closeBytes = 16 * 1024;
const mostPieces = 64;
const leastPieceDistance = 256 * 1024;
/** A pack comes at least every 0.7 s; a longer pause is another run. */
const longestPause = 10;
const mostBorders = 16;
/** Where the first and the last times of a run are. */
const edgeBytes = 48 * 1024;

/** Where the clock begins again: the ends of runs, in bytes. */
async function findBorders(
  source: MediaSource,
  ticks: readonly Tick[],
): Promise<readonly number[]> {
  const borders: number[] = [];
  for (const [from, to] of jumpsIn(ticks).slice(0, mostBorders)) {
    const border = await findBorder(source, from, to);
    if (border !== undefined) borders.push(border);
  }
  return borders;
}

/** Neighbours between which the clock does not seem to go on. */
function jumpsIn(ticks: readonly Tick[]): readonly (readonly [Tick, Tick])[] {
  const steps = ticks.slice(1).map((to, at) => [ticks[at] ?? to, to] as const);
  const pauses = steps.map(([from, to]) => to.clock - from.clock).filter((pause) => pause >= 0);
  const usual = pauses.sort((one, other) => one - other)[Math.floor(pauses.length / 2)] ?? 0;
  const longest = Math.max(longestPause, usual * 8);
  return steps.filter(([from, to]) => {
    const pause = to.clock - from.clock;
    return pause < 0 || pause > longest;
  });
}

/** The clock at places that are equally far apart. */
async function readTicks(source: MediaSource): Promise<readonly Tick[]> {
  const count = Math.min(mostPieces, Math.floor(source.size / leastPieceDistance));
  const places = Array.from({ length: count }, (_, at) => ({
    offset: Math.floor((source.size / count) * at),
    length: pieceBytes,
  })).filter(({ offset, length }) => offset + length <= source.size);
  const pieces = await source.readPieces(places);
  const ticks: Tick[] = [];
  for (const [index, { offset }] of places.entries()) {
    const found = tickIn(pieces[index] ?? new Uint8Array(0), offset);
    const tick = found ?? (await tickWithin(source, offset, widePieceBytes));
    if (tick !== undefined && tick.at > (ticks.at(-1)?.at ?? -1)) ticks.push(tick);
  }
  return ticks;
}

function tickIn(bytes: Uint8Array, offset: number): Tick | undefined {
  const at = findPack(bytes);
  const pack = at < 0 ? undefined : packAt(bytes, at);
  return pack && { at: offset + at, clock: pack.clock };
}

/** The first one in the bytes from a place on. */
async function tickWithin(
  source: MediaSource,
  offset: number,
  bytes: number,
): Promise<Tick | undefined> {
  const length = Math.min(bytes, source.size - offset);
  const [piece] = await source.readPieces([{ offset, length }]);
  return tickIn(piece ?? new Uint8Array(0), offset);
}

/** The place between two at which the clock does not go on; `undefined` when it does. */
async function findBorder(
  source: MediaSource,
  first: Tick,
  last: Tick,
): Promise<number | undefined> {
  let [from, to] = [first, last];
  const isBack = last.clock < first.clock;
  while (to.at - from.at > closeBytes) {
    const half = from.at + Math.floor((to.at - from.at) / 2);
    const narrow = await tickWithin(source, half, pieceBytes);
    const middle = narrow ?? (await tickWithin(source, half, to.at - half));
    if (middle === undefined || middle.at >= to.at) to = { ...to, at: half };
    else if (isBack ? middle.clock >= first.clock : isNearer(middle, from, to)) from = middle;
    else to = middle;
  }
  return borderIn(source, from, to);
}

const isNearer = ({ clock }: Tick, from: Tick, to: Tick): boolean =>
  clock >= from.clock && clock - from.clock < to.clock - clock;

async function borderIn(source: MediaSource, from: Tick, to: Tick): Promise<number | undefined> {
  const bytes = await readUpTo(source, from.at, to.at - from.at + pieceBytes);
  let { clock } = from;
  for (let at = findPack(bytes); at >= 0; at = findPack(bytes, at + 4)) {
    const pack = packAt(bytes, at);
    if (pack === undefined) continue;
    if (pack.clock < clock || pack.clock - clock > longestPause) return from.at + at;
    ({ clock } = pack);
  }
  return undefined;
}

/** Seconds of the clock. */
interface Times {
  readonly first: number;
  readonly last: number;
}

const noTimes: Times = { first: 0, last: 0 };

/** The first and the last time in a part of the file, in seconds. */
async function timesIn(source: MediaSource, from: number, to: number): Promise<Times | undefined> {
  const bytes = await readUpTo(source, from, to - from);
  const times = [...packetsIn(bytes)].flatMap(({ time }) => time ?? []);
  if (times.length === 0) return undefined;
  return { first: Math.min(...times), last: Math.max(...times) };
}

/** From the first time of the part to its last. */
async function timesOfRun(source: MediaSource, from: number, to: number): Promise<Times> {
  const begin = await timesIn(source, from, Math.min(to, from + edgeBytes));
  let end: Times | undefined;
  for (let bytes = edgeBytes; end === undefined && bytes <= 8 * edgeBytes; bytes *= 2)
    end = await timesIn(source, Math.max(from, to - bytes), to);
  if (begin === undefined || end === undefined) return noTimes;
  return { first: begin.first, last: Math.max(begin.first, end.last) };
}

/** How long a program stream is. */
export interface ProgramLength {
  /** The first time in the file, in seconds of its clock. */
  readonly firstTime: number | undefined;
  /** All runs together. The last picture of each is not counted. */
  readonly seconds: number;
  readonly runs: number;
  readonly warnings: readonly string[];
}

export async function readLength(source: MediaSource): Promise<ProgramLength> {
  const ticks = await readTicks(source);
  try {
    const edges = [0, ...(await findBorders(source, ticks)), source.size];
    const runs: Times[] = [];
    for (const [at, from] of edges.slice(0, -1).entries())
      runs.push(await timesOfRun(source, from, edges[at + 1] ?? source.size));
    const seconds = runs.reduce((sum, { first, last }) => sum + last - first, 0);
    return { firstTime: runs[0]?.first, seconds, runs: runs.length, warnings: [] };
  } catch (error) {
    if (!(error instanceof ReaderError) || error.code !== 'over-budget') throw error;
    const warning = 'The times in the file jump so often that its length is an estimate.';
    const firstTime = ticks[0]?.clock;
    return { firstTime, seconds: lengthByTicks(ticks), runs: 1, warnings: [warning] };
  }
}

/** Without the stretches in which the clock jumps. */
function lengthByTicks(ticks: readonly Tick[]): number {
  const jumps = new Set(jumpsIn(ticks).map(([from]) => from));
  const steps = ticks.slice(1).map((to, at) => [ticks[at] ?? to, to] as const);
  const steady = steps.filter(([from]) => !jumps.has(from));
  return steady.reduce((sum, [from, to]) => sum + to.clock - from.clock, 0);
}
