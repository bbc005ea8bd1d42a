/** What the segments of a track say: when each begins and ends, and when its packets are shown. */
import type { TranscodeTrack } from '../../../plugin-api/index.ts';
import { packetsIn, type Remuxed, type SeenPacket } from './remuxed.ts';

/** A segment in seconds of the session. */
export interface SeenSegment {
  /** By the playlist. */
  readonly start: number;
  readonly end: number;
  /** Of the media in it; `undefined` when it has none. */
  readonly media: { readonly start: number; readonly end: number } | undefined;
  /** Decode times: of the first packet, and after the last. */
  readonly decoding: readonly [from: number, to: number];
}

/** Reads all segments of a track. */
export async function seenSegments(
  media: Remuxed,
  track: TranscodeTrack,
): Promise<readonly SeenSegment[]> {
  const init = await media.init(track);
  const scale = init.readUInt32BE(init.indexOf('mdhd') + 16);
  const edit = init.indexOf('elst');
  const delay = edit < 0 ? 0 : init.readUInt32BE(edit + 16) / scale;
  const { cuts, duration, timescale } = media.index;
  const seen: SeenSegment[] = [];
  for (let n = 0; n < cuts.length; n++) {
    const bytes = await media.segment(track, n);
    const { from, to, shown } = readRun(bytes, scale);
    const start = Math.min(...shown.map(([begins]) => begins));
    const end = Math.max(...shown.map(([, ends]) => ends));
    seen.push({
      start: (cuts[n] ?? 0) / timescale,
      end: (cuts[n + 1] ?? duration) / timescale,
      media: shown.length === 0 ? undefined : { start: start - delay, end: end - delay },
      decoding: [from - delay, to - delay],
    });
  }
  return seen;
}

interface Run {
  readonly from: number;
  readonly to: number;
  readonly shown: readonly (readonly [number, number])[];
}

/** The fragments of a segment as one run. Each must begin where the one before it ends. */
function readRun(bytes: Buffer, scale: number): Run {
  const runs = fragmentsIn(bytes).map((fragment) => readFragment(fragment, scale));
  runs.forEach(({ from }, at) => {
    const before = runs[at - 1]?.to ?? from;
    if (Math.abs(before - from) > 1e-9)
      throw new Error(`A fragment begins at ${from}, not ${before}`);
  });
  return {
    from: runs[0]?.from ?? 0,
    to: runs.at(-1)?.to ?? 0,
    shown: runs.flatMap(({ shown }) => shown),
  };
}

/** Each `moof` with its `mdat`. */
export function fragmentsIn(bytes: Buffer): readonly Buffer[] {
  const fragments: Buffer[] = [];
  for (let at = 0; at < bytes.length;) {
    const media = at + bytes.readUInt32BE(at);
    const names = [at, media].map((box) => bytes.toString('latin1', box + 4, box + 8));
    if (names.join(' ') !== 'moof mdat') throw new Error(`A fragment of ${names.join(' ')}`);
    const end = media + bytes.readUInt32BE(media);
    if (end > bytes.length) throw new Error(`A fragment ends at ${end} of ${bytes.length}`);
    fragments.push(bytes.subarray(at, end));
    at = end;
  }
  return fragments;
}

function readFragment(bytes: Buffer, scale: number): Run {
  const from = Number(bytes.readBigUInt64BE(bytes.indexOf('tfdt') + 8));
  const run = bytes.indexOf('trun') + 4;
  const flags = bytes.readUInt32BE(run) & 0xffffff;
  const width = 4 * [0x100, 0x200, 0x400, 0x800].filter((flag) => (flags & flag) !== 0).length;
  const shown: (readonly [number, number])[] = [];
  let decoded = from;
  for (let index = 0; index < bytes.readUInt32BE(run + 4); index++) {
    const at = run + 12 + index * width;
    const shift = (flags & 0x800) === 0 ? 0 : bytes.readInt32BE(at + 12);
    const length = bytes.readUInt32BE(at);
    shown.push([(decoded + shift) / scale, (decoded + shift + length) / scale]);
    decoded += length;
  }
  return { from: from / scale, to: decoded / scale, shown };
}

/** The largest differences over all segments, in seconds. */
export function differences(segments: readonly SeenSegment[]): {
  /** Between what the playlist says and the media. */
  readonly length: number;
  /** Between the end of a segment and the start of the next. */
  readonly gap: number;
} {
  const filled = segments.filter(({ media }) => media !== undefined);
  // A track may begin late and end early.
  const inner = filled.slice(1, -1);
  const lengths = inner.map(({ start, end, decoding: [from, to] }) =>
    Math.abs(end - start - (to - Math.max(0, from))),
  );
  const gaps = inner.map(({ decoding }, at) =>
    Math.abs((filled[at + 2]?.decoding[0] ?? 0) - decoding[1]),
  );
  return { length: Math.max(0, ...lengths), gap: Math.max(0, ...gaps) };
}

/** Each packet of a track, to compare a source with its segments. */
export const contents = (packets: readonly SeenPacket[]): readonly string[] =>
  packets.map(({ hash, isKey }) => `${hash} ${isKey ? 'K' : '_'}`);

/** The packets of a track without the silence that was put where the source has nothing. */
export function withoutSilence(
  made: readonly SeenPacket[],
  source: readonly SeenPacket[],
): readonly SeenPacket[] {
  const known = new Set(source.map(({ hash }) => hash));
  return made.filter(({ hash }) => known.has(hash));
}

/**
 * The largest difference of the times of packets, counted from the second one, in seconds: the first
 * picture is shown earlier where the source begins without one.
 */
export function timeDifference(made: readonly SeenPacket[], source: readonly SeenPacket[]): number {
  const [one, other] = [made.slice(1), source.slice(1)];
  const first = (packets: readonly SeenPacket[]): number =>
    Math.min(...packets.map(({ pts }) => pts));
  const [from, against] = [first(one), first(other)];
  const gaps = one.map(({ pts }, at) => Math.abs(pts - from - ((other[at]?.pts ?? 0) - against)));
  return Math.max(0, ...gaps);
}

/** The packets of a track, init and segments together. */
export const packetsOf = async (
  media: Remuxed,
  track: TranscodeTrack,
): Promise<readonly SeenPacket[]> => packetsIn(await media.whole(track));
