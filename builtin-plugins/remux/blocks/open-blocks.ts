/** A file that is planned from blocks: key pictures lead to the blocks of a segment. */
import { makeInit } from '../fmp4/init-segment.ts';
import { chooseCuts, soundCuts } from '../media/choose-cuts.ts';
import { spanOf } from '../media/fill-silence.ts';
import type { MediaTrack, OpenMedia, TrackRates } from '../media/open-media.ts';
import { ratesOf } from '../media/rates.ts';
import { frameTimesOf, mp3Type, segmentParts } from '../media/segment-parts.ts';
import type { BlockWalker } from './block.ts';
import type { CuePoints } from './cue-points.ts';
import { writeWalk, type KeyWalk } from './key-walk.ts';
import { pictures, sound, type PlayedTrack } from './played-track.ts';
import { createBlockUnits } from './units.ts';

/** What a container knows of a file. */
export interface BlockFile {
  readonly tracks: readonly PlayedTrack[];
  /** The track by whose key pictures the file is cut. */
  readonly leading: PlayedTrack | undefined;
  readonly cues: CuePoints;
  readonly walk: BlockWalker;
  /** Where the media begins and ends in the file. */
  readonly from: number;
  readonly end: number;
  /** Seconds of a tick of the cues. */
  readonly fileTick: number;
  /** Seconds in the file at which the session starts. */
  readonly start: number;
  readonly duration: number;
  /** The walk of a file without an index. */
  readonly walked: KeyWalk | undefined;
}

/** Makes the plans of a file. */
export function openBlocks(file: BlockFile): OpenMedia {
  const { tracks, leading, cues, fileTick, start, duration, end, walk, walked } = file;
  const cueTimes = cues.ticks.map((ticks) => ticks * fileTick - start);
  const chosen = leading === undefined ? [] : chooseCuts(cueTimes);
  const cuts =
    chosen.length === 0
      ? leading === undefined
        ? soundCuts(duration)
        : Float64Array.of(0)
      : Float64Array.from(chosen, (place) => cueTimes[place] ?? 0);
  cuts[0] = 0;
  const starts = [...new Set([file.from, ...cues.clusters])].sort((one, other) => one - other);
  const numbers = new Set(tracks.filter(({ format }) => format).map(({ number }) => number));
  const units = createBlockUnits({ starts, end, tracks: numbers, walk });
  const places = { units, cues, cueTimes };
  const rates = leading && ratesByPlaces(file, cuts, chosen);
  const found = (track: MediaTrack): PlayedTrack =>
    tracks.find(({ stream }) => stream === track.stream) ?? fail(track);
  return {
    tracks: tracks.map((track) =>
      track === leading ? { ...track, rates } : { ...track, frames: frameTimesOf(track, track) },
    ),
    cuts,
    duration,
    start,
    walk: walked && { state: writeWalk(walked), isComplete: walked.isComplete },
    heldBytes: cues.ticks.length * 40 + 512 * 1024,
    init: (track) => initOf(found(track)),
    plan: async (track, asked, reader) => {
      const own = found(track);
      const read = own.kind === 'video' ? pictures : sound;
      const packets = await read(own, places, asked, reader);
      return segmentParts(own, {
        packets,
        number: asked.number,
        scale: own.scale,
        delay: own.delay,
        span:
          own.kind === 'audio'
            ? spanOf(asked, { scale: own.scale, duration, first: own.first ?? 0 })
            : undefined,
        usual: own.usual,
      });
    },
  };
}

/** The rates of all tracks together, which are mostly those of the pictures. */
function ratesByPlaces(
  { cues, end, duration }: BlockFile,
  cuts: Float64Array,
  chosen: readonly number[],
): TrackRates {
  const at = (segment: number): number => cues.clusters[chosen[segment] ?? -1] ?? end;
  const bytesFrom = (segment: number): readonly [number, number] => {
    return [Math.max(0, at(segment + 1) - at(segment)), 0];
  };
  const { largest, average } = ratesOf({ cuts, duration, bytesFrom });
  return {
    ...(largest !== undefined && { largest }),
    ...(average !== undefined && { average }),
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
