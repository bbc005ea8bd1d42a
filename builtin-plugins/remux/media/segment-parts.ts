/** The parts of a segment by the form of its track: a fragment of MP4, or frames of MP3 as they are. */
import type { FrameTimes } from '../../../plugin-api/index.ts';
import { joined } from '../../media-headers/bytes/joined.ts';
import { letters, numbers, zeros } from '../fmp4/boxes.ts';
import { fragmentsOf, placesOf } from '../fmp4/fragment.ts';
import { filled, silentTicks, type Span } from './fill-silence.ts';
import type { MediaTrack } from './open-media.ts';
import type { Packets, Part } from './packets.ts';

/** The type of the segments of MP3: browsers do not play it in MP4. */
export const mp3Type = 'audio/mpeg';

/** When the frames of packed sound begin; `undefined` of other tracks, or where that is not known. */
export const frameTimesOf = (
  { format }: MediaTrack,
  {
    scale,
    usual,
    first,
  }: { readonly scale: number; readonly usual: number; readonly first?: number },
): FrameTimes | undefined =>
  format?.mimeType === mp3Type && usual > 0 && first !== undefined
    ? { timescale: scale, first, length: usual }
    : undefined;

export interface SegmentContent {
  readonly packets: Packets;
  readonly number: number;
  /** Ticks per second. */
  readonly scale: number;
  /** See `InitTrack`. */
  readonly delay: number;
  /** Of sound: which stretch is filled where the track has nothing. */
  readonly span?: Span | undefined;
  /** Ticks of a packet; 0 if they differ. */
  readonly usual?: number;
}

/** The made bytes and the places of the file. */
export function segmentParts(track: MediaTrack, content: SegmentContent): readonly Part[] {
  const { scale, number, delay } = content;
  const packets = withFirstHeld(track, { ...content, packets: withSilence(track, content) });
  if (track.format?.mimeType === mp3Type) {
    const first = packets.times[0] ?? packets.end;
    return [timestampTag(Math.max(0, first) / scale), ...placesOf(packets)];
  }
  return fragmentsOf({ packets, kind: track.kind, number, scale, delay });
}

function withSilence(
  { format }: MediaTrack,
  { packets, span, scale, usual = 0 }: SegmentContent,
): Packets {
  const silence = format?.silence;
  if (silence === undefined || span === undefined) return packets;
  const ticks = silentTicks(silence, { scale, usual });
  return ticks === undefined ? packets : filled(packets, { packet: silence.packet, ticks }, span);
}

/** Players skip a shorter stretch without a picture by themselves, in seconds. */
const shortLateness = 0.1;

/**
 * Pictures that begin later than the sound: the first one is shown from the start. Players take the
 * time of the first picture as that of its segment, and would leave out the sound before it.
 */
function withFirstHeld({ kind }: MediaTrack, { packets, number, scale }: SegmentContent): Packets {
  const [first = 0] = packets.times;
  const earliest = packets.times.reduce((least, time) => Math.min(least, time), Infinity);
  const isLate = kind === 'video' && number === 0 && earliest > shortLateness * scale;
  if (!isLate || first > earliest) return packets;
  return { ...packets, times: [0, ...packets.times.slice(1)] };
}

const clock = 90_000;
const owner = 'com.apple.streaming.transportStreamTimestamp';

/** The time of packed sound, in an ID3 tag (RFC 8216, 3.4). */
function timestampTag(seconds: number): Uint8Array {
  const time = numbers(8, Math.round(seconds * clock) % 2 ** 33);
  const content = joined([letters(owner), zeros(1), time]);
  const frame = joined([letters('PRIV'), numbers(4, content.length), zeros(2), content]);
  return joined([letters('ID3'), numbers(1, 4, 0, 0, 0, 0, 0, frame.length), frame]);
}
