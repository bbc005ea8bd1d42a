/** MPEG transport streams, as broadcast, recorded and on discs: walked, since they have no index. */
import { malformed, truncated } from '../../media-headers/bytes/probe-error.ts';
import { findLayout, packetsIn } from '../../media-headers/mpeg-ts/packets.ts';
import {
  readAssociation,
  readProgramMap,
  type ProgramPart,
} from '../../media-headers/mpeg-ts/program.ts';
import { createClock } from '../blocks/clock.ts';
import { toCuePoints } from '../blocks/cue-points.ts';
import { continueWalk, type KeyWalk } from '../blocks/key-walk.ts';
import { openBlocks } from '../blocks/open-blocks.ts';
import type { PlayedTrack } from '../blocks/played-track.ts';
import type { TrackFormat } from '../formats/track-format.ts';
import { mostPictureBytes, mostPieces } from '../limits.ts';
import type { AskedFile, MediaReader, OpenMedia } from '../media/open-media.ts';
import { createWindowSource } from '../media/window-source.ts';
import { walkPackets } from './packet-walk.ts';
import { pictureFormat } from './picture-setup.ts';
import { soundFrame } from './sound-frames.ts';
import { streamWalker, unwrapped, type StreamProgram, type TakenStream } from './stream-blocks.ts';
import { isKeyPicture, unitsIn } from './units.ts';

const clock = 90_000;
const tableBytes = 1024 * 1024;
const headBytes = 8 * 1024 * 1024;
const windowBytes = 512 * 1024;

/** Opens a file; `head` is at least its first packets. */
export async function openTs(reader: MediaReader, asked: AskedFile): Promise<OpenMedia> {
  const head = await reader.read(0, Math.min(tableBytes, reader.size));
  const layout = findLayout(head);
  if (layout === undefined) throw malformed('The file has no packets of a transport stream.');
  const parts = readTables(head, layout);
  if (parts.length === 0) throw truncated('The file has no table of its streams.');
  const streams = new Map(parts.flatMap(({ pid, stream }) => takenOf(pid, stream.codec)));
  const heads = await readHeads(reader, { layout, streams, first: 0 });
  const times = [...heads.values()].map(({ time }) => time);
  const first = Math.min(...times);
  const program: StreamProgram = { layout, streams, first };
  const start = Math.min(...times.map((time) => unwrapped(time, first))) / clock;
  const tracks = parts.flatMap(({ pid, stream: { kind } }, stream): readonly PlayedTrack[] => {
    if (kind !== 'video' && kind !== 'audio') return [];
    return [playedTrack({ pid, stream, kind }, heads.get(pid), start)];
  });
  const leading =
    tracks.find(({ kind, format }) => kind === 'video' && format) ??
    tracks.find(({ format }) => format);
  if (leading === undefined) throw malformed('The file has nothing that can be copied.');
  const input = { track: leading.number, tracks: new Set([leading.number]), fileTick: 1 / clock };
  const shallow = streamWalker(program, leading.kind === 'video');
  const walked = await continueWalk(reader, asked, { ...input, walk: shallow, from: layout.first });
  const duration = walked.last / clock - start;
  const isWide = widest(walked, reader.size) > mostPacketBytes;
  const copied = tracks.map((track) => (isWide ? withoutPictures(track) : track));
  return openBlocks({
    tracks: copied,
    leading,
    walked,
    start,
    duration,
    fileTick: 1 / clock,
    cues: toCuePoints(walked.points),
    walk: streamWalker(program, false),
    from: layout.first,
    end: reader.size,
  });
}

/** A segment has a piece for each packet. */
const mostPacketBytes = (mostPieces - 1000) * 188;

/** Bytes of the longest segment. */
function widest({ points }: KeyWalk, size: number): number {
  const lengths = points.map(
    ([, at], place) => (points[place + 1]?.[1] ?? Math.min(at, size)) - at,
  );
  return lengths.reduce((most, length) => Math.max(most, length), 0);
}

const withoutPictures = (track: PlayedTrack): PlayedTrack =>
  track.kind === 'video' ? { ...track, format: undefined } : track;

function readTables(
  head: Uint8Array,
  layout: NonNullable<ReturnType<typeof findLayout>>,
): readonly ProgramPart[] {
  let maps: readonly number[] = [];
  const parts: ProgramPart[] = [];
  for (const { pid, isStart, payload } of packetsIn(head, layout)) {
    if (pid === 0 && isStart) maps = readAssociation(payload);
    if (!isStart || !maps.includes(pid)) continue;
    for (const part of readProgramMap(payload)) {
      if (parts.every((known) => known.pid !== part.pid) && parts.length < 100) parts.push(part);
    }
  }
  return parts;
}

function takenOf(pid: number, codec: string): readonly (readonly [number, TakenStream])[] {
  if (codec === 'h264' || codec === 'hevc') return [[pid, { kind: 'video', codec }]];
  const isSound = codec === 'aac' || codec === 'ac3' || codec === 'eac3' || codec === 'mp2';
  return isSound ? [[pid, { kind: 'audio', codec }]] : [];
}

interface StreamHead {
  /** Ticks of its first picture or frame. */
  readonly time: number;
  readonly format: TrackFormat | undefined;
  readonly scale: number;
  readonly samples: number | undefined;
}

/** The first key picture and the first frame of sound of each stream. */
async function readHeads(
  reader: MediaReader,
  { layout, streams }: StreamProgram,
): Promise<ReadonlyMap<number, StreamHead>> {
  const heads = new Map<number, StreamHead>();
  await walkPackets(createWindowSource(reader, windowBytes), {
    layout,
    from: layout.first,
    to: headBytes,
    pids: new Set(streams.keys()),
    mostBytes: mostPictureBytes,
    isWantedBehind: () => false,
    visit: ({ pid, time, content }) => {
      const stream = streams.get(pid);
      if (stream === undefined || time === undefined || heads.has(pid)) return true;
      const head = headOf(stream, content.bytes);
      if (head !== undefined) heads.set(pid, { time, ...head });
      return heads.size < streams.size;
    },
  });
  return heads;
}

function headOf(stream: TakenStream, bytes: Uint8Array): Omit<StreamHead, 'time'> | undefined {
  if (stream.kind === 'video') {
    const units = unitsIn(bytes, stream.codec);
    if (!isKeyPicture(units, stream.codec)) return undefined;
    const format = pictureFormat(bytes, units, stream.codec);
    return format && { format, scale: clock, samples: undefined };
  }
  for (let at = 0; at < Math.min(bytes.length, 8192); at++) {
    const frame = soundFrame(bytes, at, stream.codec);
    if (frame === undefined) continue;
    return { format: frame.format(), scale: frame.rate, samples: frame.samples };
  }
  return undefined;
}

function playedTrack(
  { pid, stream, kind }: { pid: number; stream: number; kind: 'video' | 'audio' },
  head: StreamHead | undefined,
  start: number,
): PlayedTrack {
  const scale = head?.scale ?? clock;
  const samples = kind === 'audio' ? head?.samples : undefined;
  const input = { fileTick: 1 / clock, scale, samples, start, first: head?.time ?? 0 };
  return {
    stream,
    kind,
    number: pid,
    scale,
    delay: 0,
    format: head?.format,
    usual: samples ?? 0,
    timeOf: createClock(input),
    lengthOf: (ticks) => Math.round((ticks * scale) / clock),
  };
}
