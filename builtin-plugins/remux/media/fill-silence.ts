/**
 * Fills a segment of sound where the track has nothing: it may begin late, end early, or have holes.
 * A segment without sound would stop a player, which waits for it.
 */
import type { Silence } from '../formats/track-format.ts';
import type { AskedSegment } from './open-media.ts';
import type { Packets, Part } from './packets.ts';

export interface Span {
  /** Ticks from the start of the session. */
  readonly from: number;
  readonly to: number;
  /** Whether the session ends with it. */
  readonly isLast: boolean;
  /** Ticks of the first packet of the track: silence is on the grid of its packets. */
  readonly first: number;
}

/** The span of a segment. */
export const spanOf = (
  { number, start, end }: AskedSegment,
  track: { readonly scale: number; readonly duration: number; readonly first: number },
): Span => ({
  from: number === 0 ? 0 : Math.round(start * track.scale),
  to: Math.round(Math.min(end, track.duration) * track.scale),
  isLast: !Number.isFinite(end),
  first: track.first,
});

/** Ticks of a packet of silence; `undefined` where none fits between the packets of the track. */
export function silentTicks(
  { seconds, isUsual }: Silence,
  { scale, usual }: { readonly scale: number; readonly usual: number },
): number | undefined {
  const ticks = seconds * scale;
  return isUsual || Math.abs(ticks - usual) <= 1 ? ticks : undefined;
}

/** More are not made: two minutes of sound. A file that needs more lies about its times. */
const mostSilence = 6000;
/** At the end a few packets may be missing. */
const fewPackets = 5;

/** The packets with those of silence between them. */
export function filled(
  packets: Packets,
  { packet, ticks }: { readonly packet: Uint8Array; readonly ticks: number },
  { from, to, isLast, first: origin }: Span,
): Packets {
  const { times } = packets;
  const count = (length: number): number => Math.max(0, Math.floor(length / ticks + 0.01));
  const made: { readonly at: number; readonly before: number }[] = [];
  const add = (start: number, many: number, before: number): void => {
    for (let n = 0; n < many && made.length <= mostSilence; n++)
      made.push({ at: Math.round(start + n * ticks), before });
  };
  const [first] = times;
  if (first === undefined) {
    const start = origin + Math.ceil((from - origin) / ticks - 0.01) * ticks;
    add(start, Math.max(1, Math.ceil((to - start) / ticks - 0.01)), 0);
  } else {
    const many = count(first - from);
    add(first - many * ticks, many, 0);
  }
  times.forEach((time, place) => {
    const next = times[place + 1];
    if (next !== undefined) add(time + ticks, count(next - time - ticks), place + 1);
  });
  const rest = first === undefined ? 0 : count(to - packets.end);
  if (!isLast || rest > fewPackets) add(packets.end, rest, times.length);
  const isFilled = made.length > 0 && made.length <= mostSilence;
  if (!isFilled || packets.prefix !== undefined) return packets;
  return merged(packets, made, { packet, ticks });
}

function merged(
  packets: Packets,
  made: readonly { readonly at: number; readonly before: number }[],
  { packet, ticks }: { readonly packet: Uint8Array; readonly ticks: number },
): Packets {
  const all: { time: number; size: number; offset: number; parts: readonly Part[] }[] = [];
  let next = 0;
  const silent = (upTo: number): void => {
    for (; (made[next]?.before ?? Infinity) <= upTo; next++)
      all.push({ time: made[next]?.at ?? 0, size: packet.length, offset: 0, parts: [packet] });
  };
  packets.times.forEach((time, place) => {
    silent(place);
    const [offset, size] = [packets.offsets[place] ?? 0, packets.sizes[place] ?? 0];
    all.push({ time, size, offset, parts: packets.parts?.[place] ?? [[offset, size]] });
  });
  silent(packets.times.length);
  const last = all.at(-1)?.time ?? 0;
  return {
    offsets: all.map(({ offset }) => offset),
    sizes: all.map(({ size }) => size),
    parts: all.map(({ parts }) => parts),
    times: all.map(({ time }) => time),
    end: Math.max(packets.times.length === 0 ? 0 : packets.end, Math.round(last + ticks)),
  };
}
