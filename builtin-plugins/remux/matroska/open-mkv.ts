/** Matroska and WebM: the index leads to clusters, whose blocks are read when a segment is planned. */
import { truncated } from '../../media-headers/bytes/probe-error.ts';
import { readElement, readWhole, type Element } from '../../media-headers/matroska/elements.ts';
import { ids } from '../../media-headers/matroska/ids.ts';
import { openMatroska, type OpenMatroska } from '../../media-headers/matroska/open-matroska.ts';
import { createClock } from '../blocks/clock.ts';
import { toCuePoints, type CuePoint, type CuePoints } from '../blocks/cue-points.ts';
import { continueWalk } from '../blocks/key-walk.ts';
import { openBlocks } from '../blocks/open-blocks.ts';
import type { PlayedTrack } from '../blocks/played-track.ts';
import { mostCueBytes } from '../limits.ts';
import type { AskedFile, MediaReader, OpenMedia } from '../media/open-media.ts';
import { createWindowSource } from '../media/window-source.ts';
import { walkBlocks } from './blocks.ts';
import { readCuePoints } from './cue-points.ts';
import { readFirstPackets, type FirstPacket } from './first-packets.ts';
import { formatOfTrack } from './mkv-format.ts';
import { readMkvTracks, type MkvTrack } from './mkv-tracks.ts';

const headWindow = 16 * 1024;

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
  const numbers = new Set(tracks.filter(({ format }) => format).map(({ number }) => number));
  const walked =
    indexed === undefined
      ? await continueWalk(reader, asked, {
          walk: walkBlocks,
          track: front.track,
          tracks: numbers,
          fileTick,
          from: cluster,
        })
      : undefined;
  const cues = indexed ?? toCuePoints([...front.points, ...(walked?.points ?? [])]);
  const header = (info?.real(ids.duration) ?? 0) * fileTick - start;
  const seen = walked === undefined ? 0 : walked.last * fileTick - start;
  const duration = header > 0 && walked?.isComplete !== true ? header : Math.max(seen, header);
  const leads = tracks.find(({ number }) => number === leading?.number);
  const parts = { tracks, leading: leads, cues, from: cluster, end: reader.size };
  return openBlocks({ ...parts, walk: walkBlocks, fileTick, start, duration, walked });
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
  const { number, prefix } = entry;
  const lengthOf = (ticks: number): number => Math.round(ticks * fileTick * scale);
  const shown = { stream, kind, format: found?.format, number, prefix };
  const timeOf = createClock(clock);
  return [{ ...shown, scale, usual, timeOf, lengthOf, delay, first: timeOf(clock.first) }];
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
  readonly points: readonly CuePoint[];
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
