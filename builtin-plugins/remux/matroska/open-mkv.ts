/** Matroska and WebM: the index leads to clusters, whose blocks are read when a segment is planned. */
import { truncated } from '../../media-headers/bytes/probe-error.ts';
import { readElement, readWhole, type Element } from '../../media-headers/matroska/elements.ts';
import { ids } from '../../media-headers/matroska/ids.ts';
import { openMatroska, type OpenMatroska } from '../../media-headers/matroska/open-matroska.ts';
import { makeInit } from '../fmp4/init-segment.ts';
import { mostCueBytes, walkMs } from '../limits.ts';
import { chooseCuts, soundCuts } from '../media/choose-cuts.ts';
import type { AskedFile, MediaReader, MediaTrack, OpenMedia } from '../media/open-media.ts';
import { ratesOf } from '../media/rates.ts';
import { mp3Type, segmentParts } from '../media/segment-parts.ts';
import { createWindowSource } from '../media/window-source.ts';
import { createBlockUnits } from './block-units.ts';
import { createClock } from './clock.ts';
import { readCuePoints, toCuePoints, type CuePoints } from './cue-points.ts';
import { readFirstPackets, type FirstPacket } from './first-packets.ts';
import { formatOfTrack } from './mkv-format.ts';
import { readMkvTracks, type MkvTrack } from './mkv-tracks.ts';
import { readWalk, walkKeys, writeWalk, type KeyWalk, type WalkInput } from './walk-keys.ts';
import { pictures, sound, type PacketPlaces, type PlayedTrack } from './played-track.ts';

const headWindow = 16 * 1024;
const walkWindow = 512 * 1024;

/** Opens a file. */
export async function openMkv(reader: MediaReader, asked: AskedFile): Promise<OpenMedia> {
  const file = await openMatroska({ size: reader.size, read: reader.read }, wanted);
  const part = async (id: number): Promise<Element | undefined> => {
    const place = file.places.get(id);
    return place && readWhole(reader, place, mostCueBytes);
  };
  const info = await part(ids.info);
  const list = await part(ids.tracks);
  const cluster = file.places.get(ids.cluster)?.start;
  if (list === undefined || cluster === undefined) throw truncated('The file has no media.');
  const entries = readMkvTracks(list);
  const source = createWindowSource(reader, headWindow);
  const firsts = await readFirstPackets(source, { from: cluster, tracks: entries });
  const fileTick = (info?.uint(ids.timestampScale) ?? 1_000_000) / 1e9;
  const start = startOf(entries, firsts, fileTick);
  const tracks = entries.flatMap((entry) => played(entry, firsts, { fileTick, start }));
  const leading = entries.find(({ kind, number }) => kind === 'video' && firsts.has(number));
  const front = frontOf(leading, firsts, cluster);
  const indexed = await cuesOf(reader, file, { cues: await part(ids.cues), front });
  const numbers = new Set(tracks.filter(({ format }) => format).map(({ entry }) => entry.number));
  const input = { track: front.track, tracks: numbers, fileTick, cluster };
  const walk = indexed === undefined ? await walked(reader, asked, input) : undefined;
  const cues = indexed ?? toCuePoints([...front.points, ...(walk?.points ?? [])]);
  const header = (info?.real(ids.duration) ?? 0) * fileTick - start;
  const seen = walk === undefined ? 0 : (walk.last + 1) * fileTick - start;
  const duration = header > 0 && walk?.isComplete !== true ? header : Math.max(seen, header);
  return assemble({
    tracks,
    cues,
    cluster,
    fileTick,
    start,
    duration,
    size: reader.size,
    leading,
    walk,
  });
}

const wanted = [ids.info, ids.tracks, ids.cues];

/** Seconds of the first picture or sound. */
function startOf(
  entries: readonly MkvTrack[],
  firsts: ReadonlyMap<number, FirstPacket>,
  fileTick: number,
): number {
  const starts = entries.flatMap(({ number }) => {
    const first = firsts.get(number);
    return first === undefined ? [] : [first.block.ticks * fileTick];
  });
  return starts.length === 0 ? 0 : Math.min(...starts);
}

function played(
  entry: MkvTrack,
  firsts: ReadonlyMap<number, FirstPacket>,
  { fileTick, start }: { readonly fileTick: number; readonly start: number },
): readonly PlayedTrack[] {
  const first = firsts.get(entry.number);
  const found = first && formatOfTrack(entry, first.bytes);
  const { kind, stream } = entry;
  const scale = found?.scale ?? pictureScale(fileTick);
  const usual = Math.round(found?.samples ?? (entry.usualLength ?? 0) * scale);
  const clock = {
    fileTick,
    scale,
    samples: kind === 'audio' && usual > 0 ? usual : undefined,
    start: start + entry.delay,
    first: first?.block.ticks ?? 0,
  };
  const delay = kind === 'audio' ? Math.round(entry.delay * scale) : 0;
  return [
    { stream, kind, format: found?.format, entry, scale, usual, timeOf: createClock(clock), delay },
  ];
}

/** Times in whole milliseconds stay exact; others come near. */
function pictureScale(fileTick: number): number {
  const scale = Math.round(1 / fileTick);
  return Math.abs(scale * fileTick - 1) < 1e-9 && scale >= 1000 ? Math.min(scale, 1e9) : 1_000_000;
}

interface Front {
  /** The number of the track by which the file is cut. */
  readonly track: number;
  /** Its first key picture. */
  readonly points: readonly (readonly [ticks: number, cluster: number])[];
}

function frontOf(
  leading: MkvTrack | undefined,
  firsts: ReadonlyMap<number, FirstPacket>,
  cluster: number,
): Front {
  const track = leading?.number ?? [...firsts.keys()][0] ?? 0;
  const first = firsts.get(track)?.block;
  const points =
    first === undefined ? [] : [[first.ticks, Math.max(cluster, first.cluster)] as const];
  return { track, points };
}

/** The index of a track, with its first key picture in front; `undefined` if it leads elsewhere. */
async function cuesOf(
  reader: MediaReader,
  { segment }: OpenMatroska,
  { cues, front }: { readonly cues: Element | undefined; readonly front: Front },
): Promise<CuePoints | undefined> {
  if (cues === undefined) return undefined;
  const { track, points } = front;
  const read = readCuePoints(cues, { track, base: segment.from, end: reader.size });
  if (read.clusters.length === 0) return undefined;
  for (const at of [0, read.clusters.length >> 1, read.clusters.length - 1]) {
    const place = await readElement(createWindowSource(reader, 64), read.clusters[at] ?? Infinity);
    if (place?.id !== ids.cluster) return undefined;
  }
  const known = Array.from(read.ticks, (ticks, at) => [ticks, read.clusters[at] ?? 0] as const);
  return toCuePoints([...points, ...known.filter(([ticks]) => ticks > (points[0]?.[0] ?? -1))]);
}

/** What is known of a file without an index; only `transcode.index` goes on with the walk. */
async function walked(
  reader: MediaReader,
  { state, mayWalk }: AskedFile,
  input: Omit<WalkInput, 'milliseconds' | 'now'> & { readonly cluster: number },
): Promise<KeyWalk> {
  const start: KeyWalk = { at: input.cluster, isComplete: false, last: 0, points: [] };
  const known = (state === null ? undefined : readWalk(state)) ?? start;
  if (known.isComplete || !mayWalk) return known;
  const source = createWindowSource(reader, walkWindow);
  return walkKeys(source, known, { ...input, milliseconds: walkMs, now: Date.now });
}

interface Assembled {
  readonly tracks: readonly PlayedTrack[];
  readonly cues: CuePoints;
  readonly cluster: number;
  readonly fileTick: number;
  readonly start: number;
  readonly duration: number;
  readonly size: number;
  readonly leading: MkvTrack | undefined;
  readonly walk: KeyWalk | undefined;
}

function assemble(parts: Assembled): OpenMedia {
  const { tracks, cues, fileTick, start, duration, size } = parts;
  const cueTimes = cues.ticks.map((ticks) => ticks * fileTick - start);
  const chosen = parts.leading === undefined ? [] : chooseCuts(cueTimes);
  const cuts =
    parts.leading === undefined
      ? soundCuts(duration)
      : Float64Array.from(chosen, (place) => cueTimes[place] ?? 0);
  cuts[0] = 0;
  const starts = [...new Set([parts.cluster, ...cues.clusters])].sort((one, other) => one - other);
  const numbers = new Set(tracks.filter(({ format }) => format).map(({ entry }) => entry.number));
  const units = createBlockUnits({ starts, end: size, tracks: numbers });
  const places: PacketPlaces = { units, cues, cueTimes };
  const bytesFrom = (segment: number): readonly [number, number] => {
    const at = (place: number): number => cues.clusters[chosen[place] ?? -1] ?? size;
    return [Math.max(0, at(segment + 1) - at(segment)), 0];
  };
  const { largest, average } =
    parts.leading === undefined ? {} : ratesOf({ cuts, duration, bytesFrom });
  const rates = {
    ...(largest !== undefined && { largest }),
    ...(average !== undefined && { average }),
  };
  const found = (track: MediaTrack): PlayedTrack =>
    tracks.find(({ stream }) => stream === track.stream) ?? fail(track);
  return {
    tracks: tracks.map((track) => (track.entry === parts.leading ? { ...track, rates } : track)),
    cuts,
    duration,
    start,
    walk: parts.walk && { state: writeWalk(parts.walk), isComplete: parts.walk.isComplete },
    heldBytes: cues.ticks.length * 40 + 512 * 1024,
    init: (track) => initOf(found(track)),
    plan: async (track, asked, reader) => {
      const own = found(track);
      const read = own.kind === 'video' ? pictures : sound;
      const packets = await read(own, places, asked, reader);
      const { scale, delay } = own;
      return segmentParts(own, { packets, number: asked.number, scale, delay });
    },
  };
}

function fail({ stream }: MediaTrack): never {
  throw new Error(`There is no track of the stream ${stream}.`);
}

function initOf({ format, kind, scale, delay }: PlayedTrack): Uint8Array {
  if (format === undefined || format.mimeType === mp3Type) return new Uint8Array(0);
  const { width = 0, height = 0 } = format.about;
  return makeInit({ kind, entry: format.entry, scale, delay, width, height });
}
