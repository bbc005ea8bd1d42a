/**
 * MPEG transport streams, as broadcast, recorded and on Blu-ray. There is no index: the streams come
 * from the tables at the beginning, their details from the first frames, and the duration from the
 * first and the last time in the file.
 */
import { joined } from '../../../media-headers/bytes/joined.ts';
import { malformed, truncated } from '../../../media-headers/bytes/probe-error.ts';
import { readUpTo } from '../../../media-headers/bytes/byte-source.ts';
import type { FormatReader, MediaSource, StreamDraft } from '../../media.ts';
import { readFirstFrames } from './first-frames.ts';
import {
  findLayout,
  packetsIn,
  presentationTime,
  type PacketLayout,
} from '../../../media-headers/mpeg-ts/packets.ts';
import {
  readAssociation,
  readProgramMap,
  type ProgramPart,
} from '../../../media-headers/mpeg-ts/program.ts';

const stepBytes = 64 * 1024;
const mostHeadBytes = 512 * 1024;
const tailBytes = 128 * 1024;
/** Enough of one stream to contain any header. */
const gatheredBytes = 24 * 1024;
/** Times are counted in 33 bits. */
const wrapSeconds = 2 ** 33 / 90_000;

export const readMpegTs: FormatReader = async (source) => {
  const layout = findLayout(await readUpTo(source, 0, stepBytes));
  if (layout === undefined) throw malformed('The file has no packets of a transport stream.');
  const seen = new Beginning(layout);
  for (let at = 0; at < Math.min(source.size, mostHeadBytes) && !seen.isComplete; at += stepBytes) {
    seen.take(await readUpTo(source, at, stepBytes));
  }
  const parts = seen.parts;
  if (parts.length === 0) throw truncated('The file has no table of its streams.');
  const streams = parts.map(({ pid, stream }) => ({
    ...stream,
    ...readFirstFrames(stream, seen.gathered(pid)),
  }));
  return {
    container: 'mpegts',
    duration: await readDuration(source, layout, parts, seen),
    streams: withMeasuredRates(streams, parts, seen),
    packets: parts.map(({ pid }) => pid),
    firstTime: Math.min(...[...seen.times.values()].flat()),
  };
};

/** The data at the beginning of the file, block by block. */
class Beginning {
  readonly #layout: PacketLayout;
  readonly #gathered = new Map<number, { readonly parts: Uint8Array[]; length: number }>();
  readonly times = new Map<number, number[]>();
  #maps: readonly number[] = [];
  #parts: readonly ProgramPart[] = [];
  #rest: Uint8Array = new Uint8Array(0);
  #isAtStart = true;

  constructor(layout: PacketLayout) {
    this.#layout = layout;
  }

  get parts(): readonly ProgramPart[] {
    return this.#parts;
  }

  /** Whether every stream that can have details has shown some. */
  get isComplete(): boolean {
    return (
      this.#parts.length > 0 &&
      this.#parts.every(
        ({ pid, stream }) =>
          (stream.kind !== 'video' && stream.kind !== 'audio') ||
          (this.#gathered.get(pid)?.length ?? 0) >= (stream.kind === 'video' ? 8192 : 512),
      )
    );
  }

  take(block: Uint8Array): void {
    const { length, first } = this.#layout;
    const bytes = new Uint8Array(this.#rest.length + block.length);
    bytes.set(this.#rest);
    bytes.set(block, this.#rest.length);
    const start = this.#isAtStart ? first : 0;
    this.#isAtStart = false;
    for (const packet of packetsIn(bytes, { length, first: start })) {
      this.#takePacket(packet.pid, packet.isStart, packet.payload);
    }
    const whole = start + Math.floor((bytes.length - start) / length) * length;
    this.#rest = bytes.slice(whole);
  }

  #takePacket(pid: number, isStart: boolean, payload: Uint8Array): void {
    if (pid === 0 && isStart) this.#maps = readAssociation(payload);
    else if (isStart && this.#maps.includes(pid)) this.#addParts(readProgramMap(payload));
    else if (this.#parts.some((part) => part.pid === pid)) this.#gather(pid, isStart, payload);
  }

  #addParts(parts: readonly ProgramPart[]): void {
    const added = parts.filter(({ pid }) => this.#parts.every((part) => part.pid !== pid));
    if (added.length > 0) this.#parts = [...this.#parts, ...added].slice(0, 100);
  }

  #gather(pid: number, isStart: boolean, payload: Uint8Array): void {
    const gathered = this.#gathered.get(pid) ?? { parts: [], length: 0 };
    this.#gathered.set(pid, gathered);
    if (isStart) {
      const time = presentationTime(payload);
      const times = this.times.get(pid) ?? [];
      if (time !== undefined && times.length < 200) this.times.set(pid, [...times, time]);
    }
    if ((gathered.length === 0 && !isStart) || gathered.length > gatheredBytes) return;
    const from = isStart && payload.length > 9 ? 9 + (payload[8] ?? 0) : 0;
    const body = payload.subarray(from);
    gathered.parts.push(body);
    gathered.length += body.length;
  }

  gathered(pid: number): Uint8Array {
    return joined(this.#gathered.get(pid)?.parts ?? []);
  }
}

/** From the first time to the last; the last picture lasts as long as the others. */
async function readDuration(
  source: MediaSource,
  { length, first }: PacketLayout,
  parts: readonly ProgramPart[],
  seen: Beginning,
): Promise<number | undefined> {
  const packets = Math.floor(Math.max(0, source.size - tailBytes - first) / length);
  const tail = await readUpTo(source, first + packets * length, tailBytes + length);
  const last = new Map<number, number>();
  for (const { pid, isStart, payload } of packetsIn(tail, { length, first: 0 })) {
    const time = isStart && seen.times.has(pid) ? presentationTime(payload) : undefined;
    if (time !== undefined) last.set(pid, Math.max(time, last.get(pid) ?? 0));
  }
  let longest: number | undefined;
  for (const { pid, stream } of parts) {
    const begins = Math.min(...(seen.times.get(pid) ?? [Infinity]));
    const ends = last.get(pid);
    if (ends === undefined || !Number.isFinite(begins)) continue;
    const span = ends >= begins ? ends - begins : ends - begins + wrapSeconds;
    const gap = stream.kind === 'video' ? gapOf(seen.times.get(pid) ?? []) : undefined;
    longest = Math.max(longest ?? 0, span + (gap ?? 0));
  }
  return longest;
}

/** If a stream has no rate, the distances of its frames give it. */
function withMeasuredRates(
  streams: readonly StreamDraft[],
  parts: readonly ProgramPart[],
  seen: Beginning,
): readonly StreamDraft[] {
  return streams.map((stream, at) => {
    if (stream.kind !== 'video' || stream.frameRate !== undefined) return stream;
    const gap = gapOf(seen.times.get(parts[at]?.pid ?? -1) ?? []);
    return { ...stream, frameRate: gap === undefined ? undefined : Math.round(1000 / gap) / 1000 };
  });
}

/** The usual distance between two times. */
function gapOf(times: readonly number[]): number | undefined {
  const sorted = times.toSorted((one, other) => one - other);
  const gaps = sorted
    .slice(1)
    .map((time, at) => time - (sorted[at] ?? 0))
    .filter((gap) => gap > 0.001 && gap < 1)
    .sort((one, other) => one - other);
  return gaps[Math.floor(gaps.length / 2)];
}
