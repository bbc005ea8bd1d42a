/** MP4, MOV and M4A: everything a plan needs is in the index, so a plan reads nothing. */
import { makeInit } from '../fmp4/init-segment.ts';
import { longestPriming } from '../limits.ts';
import { chooseCuts, soundCuts } from '../media/choose-cuts.ts';
import { spanOf } from '../media/fill-silence.ts';
import { finerScale, withHidden } from '../media/hidden-pictures.ts';
import {
  sameCut,
  type AskedSegment,
  type MediaTrack,
  type OpenMedia,
} from '../media/open-media.ts';
import type { Packets, Part } from '../media/packets.ts';
import { ratesOf } from '../media/rates.ts';
import { mp3Type, segmentParts } from '../media/segment-parts.ts';
import { formatOfDescription } from './sample-description.ts';
import { findKeyPictures, type KeyPictures } from './key-pictures.ts';
import { shownTracks, type Movie } from './movie.ts';
import { createSampleTable } from './sample-table.ts';
import {
  firstSound,
  packetsBetween,
  soundFrom,
  timedTrack,
  type TimedTrack,
} from './timed-track.ts';

interface Mp4Track extends MediaTrack {
  readonly timed: TimedTrack;
  /** Of pictures. */
  readonly keys: KeyPictures | undefined;
  /** Ticks of its segments in one of its own. */
  readonly finer: number;
}

/** Opens a file without fragments. */
export function openMp4(movie: Movie): OpenMedia {
  const tracks = playedTracks(movie);
  const start = Math.min(...tracks.map(startOf));
  const duration = Math.max(...tracks.map(endOf)) - start;
  const cuts = cutsOf(tracks, { start, duration });
  const found = (track: MediaTrack): Mp4Track =>
    tracks.find(({ stream }) => stream === track.stream) ?? fail(track);
  const rated = tracks.map((track) => {
    const bytesFrom = (segment: number): readonly [bytes: number, keyBytes: number] => {
      const end = cuts[segment + 1] ?? Infinity;
      const asked = { number: segment, start: cuts[segment] ?? 0, end, isKeyOnly: false };
      const [from, to] = rangeOf(track, asked, start);
      let bytes = 0;
      for (let sample = from; sample < to; sample++) bytes += track.timed.table.size(sample);
      return [bytes, from < to ? track.timed.table.size(from) : 0];
    };
    return { ...track, rates: ratesOf({ cuts, duration, bytesFrom }) };
  });
  return {
    tracks: rated,
    cuts,
    duration,
    start,
    heldBytes: movie.heldBytes * 2,
    init: (track) => initOf(found(track), start),
    plan: (track, asked) => planOf(found(track), asked, { start, duration }),
  };
}

function fail({ stream }: MediaTrack): never {
  throw new Error(`There is no track of the stream ${stream}.`);
}

function playedTracks(movie: Movie): readonly Mp4Track[] {
  return shownTracks(movie.tracks).flatMap((track, stream): readonly Mp4Track[] => {
    const kind =
      track.handler === 'soun' ? 'audio' : track.handler === 'vide' ? 'video' : undefined;
    if (kind === undefined || track.scale === 0) return [];
    const table = createSampleTable(track.tables);
    if (table.count === 0) return [];
    const asListed = timedTrack(track, table);
    const found = kind === 'video' ? findKeyPictures(asListed) : undefined;
    const timed = found === undefined ? asListed : fromFirstShown(asListed, found);
    const keys = timed === asListed ? found : findKeyPictures(timed);
    const format = formatOfDescription(track.description, kind);
    const canCopy = !track.hasParts && keys?.samples.length !== 0;
    const finer = finerScale(keys?.hidden ?? 0, track.scale);
    return [{ stream, kind, format: canCopy ? format : undefined, timed, keys, finer }];
  });
}

/**
 * An edit may begin between two pictures. Players and converters show the first picture when the edit
 * begins, and all others as much earlier.
 */
function fromFirstShown(timed: TimedTrack, { times: [first] }: KeyPictures): TimedTrack {
  const { track, table } = timed;
  const gap = track.hasEdits && first !== undefined ? first - track.shownFrom : 0;
  if (gap <= 0) return timed;
  const [editShift, shownTo] = [track.editShift - gap, track.shownTo - gap];
  return timedTrack({ ...track, editShift, shownTo }, table);
}

/** Seconds at which the first picture or sound is shown. */
function startOf({ timed, keys }: Mp4Track): number {
  const first = keys?.times[0] ?? Math.max(timed.track.shownFrom, timed.shownAt(0));
  return first / timed.track.scale;
}

function endOf({ timed: { end, track } }: Mp4Track): number {
  return end / track.scale;
}

function cutsOf(
  tracks: readonly Mp4Track[],
  { start, duration }: { readonly start: number; readonly duration: number },
): Float64Array {
  const pictures = tracks.find(({ keys }) => (keys?.samples.length ?? 0) > 0);
  if (pictures === undefined) return soundCuts(duration);
  const { timed, keys } = pictures;
  const times = (keys?.times ?? new Float64Array(0)).map(
    (ticks) => ticks / timed.track.scale - start,
  );
  const cuts = Float64Array.from(chooseCuts(times), (place) => times[place] ?? 0);
  cuts[0] = 0;
  return cuts;
}

/** The samples of a segment: from one to the one before another. */
function rangeOf(track: Mp4Track, asked: AskedSegment, start: number): readonly [number, number] {
  const { timed, keys } = track;
  const { scale } = timed.track;
  const ticks = (seconds: number): number => (seconds + start) * scale;
  const { count } = timed;
  if (keys !== undefined) {
    const place = (seconds: number): number => keys.from(ticks(seconds - sameCut));
    const from = asked.number === 0 ? 0 : place(asked.start);
    const to = Number.isFinite(asked.end) ? place(asked.end) : keys.samples.length;
    return [keys.samples[from] ?? count, keys.samples[to] ?? count];
  }
  const sound = (seconds: number): number => soundFrom(timed, Math.round(ticks(seconds)));
  const from = asked.number === 0 ? firstSound(timed, Math.round(ticks(0))) : sound(asked.start);
  const to = Number.isFinite(asked.end) ? sound(asked.end) : count;
  return [from, Math.max(from, Math.min(to, count))];
}

function packetsOf(track: Mp4Track, asked: AskedSegment, start: number): Packets {
  const { timed, keys } = track;
  const [from, to] = rangeOf(track, asked, start);
  const zero = Math.round(start * timed.track.scale);
  const next = keys?.timeOf(to);
  const last = asked.isKeyOnly ? Math.min(from + 1, to) : to;
  const packets = packetsBetween(timed, { from, to: last, zero, end: next });
  const { shownFrom, shownTo } = timed.track;
  const end = Math.min(packets.end, shownTo - zero);
  const all = finerPackets({ ...packets, end }, track.finer);
  if (keys === undefined) return all;
  return withHidden(all, (shownFrom - zero) * track.finer, (shownTo - zero) * track.finer);
}

function finerPackets(packets: Packets, finer: number): Packets {
  if (finer === 1) return packets;
  return { ...packets, times: packets.times.map((time) => time * finer), end: packets.end * finer };
}

function planOf(
  track: Mp4Track,
  asked: AskedSegment,
  { start, duration }: { readonly start: number; readonly duration: number },
): readonly Part[] {
  const packets = packetsOf(track, asked, start);
  const { scale } = track.timed.track;
  const first = track.timed.shownAt(0) - Math.round(start * scale);
  return segmentParts(track, {
    packets,
    number: asked.number,
    scale: scale * track.finer,
    delay: delayOf(track, start),
    span: track.kind === 'audio' ? spanOf(asked, { scale, duration, first }) : undefined,
  });
}

/** See `InitTrack`: what sound has before the beginning. */
function delayOf({ kind, timed }: Mp4Track, start: number): number {
  if (kind === 'video') return 0;
  const { scale } = timed.track;
  const zero = Math.round(start * scale);
  const first = timed.shownAt(firstSound(timed, zero)) - zero;
  return Math.max(0, Math.min(-first, Math.ceil(longestPriming * scale)));
}

function initOf(track: Mp4Track, start: number): Uint8Array {
  const { format, kind, timed, finer } = track;
  if (format === undefined || format.mimeType === mp3Type) return new Uint8Array(0);
  return makeInit({
    kind,
    entry: format.entry,
    scale: timed.track.scale * finer,
    delay: delayOf(track, start),
    width: format.about.width ?? 0,
    height: format.about.height ?? 0,
    matrix: timed.track.matrix,
  });
}
