/** The methods of the capability `transcode`. A fault of a file is an answer. */
import type {
  Handler,
  SegmentPlan,
  TranscodeFailure,
  TranscodeIndex,
  TranscodeIndexInput,
  TranscodeInitInput,
  TranscodeSegmentInput,
  TranscodeTrack,
} from '../../plugin-api/index.ts';
import { failureOf } from '../media-headers/bytes/probe-error.ts';
import { UnsupportedError } from './formats.ts';
import { sameCut, type MediaTrack, type OpenMedia } from './media/open-media.ts';
import type { OpenFiles } from './open-files.ts';
import { toPlan } from './to-plan.ts';

/** Units of times in answers, in a second. */
const timescale = 1_000_000;
const units = (seconds: number): number => Math.round(seconds * timescale);

type Answering<Input, Output> = Handler<Input, Output | TranscodeFailure>;

/** The handlers over the opened files. */
export function createTranscoding(files: OpenFiles): {
  readonly index: Answering<TranscodeIndexInput, TranscodeIndex>;
  readonly init: Answering<TranscodeInitInput, SegmentPlan>;
  readonly segment: Answering<TranscodeSegmentInput, SegmentPlan>;
} {
  return {
    index: (input, host) =>
      answering(async () => toIndex(await files.read({ ...input, mayWalk: true }, host))),
    init: (input, host) =>
      answering(async () => {
        const media = await files.get({ ...input, mayWalk: false }, host);
        return toPlan([media.init(trackOf(media, input.track))], input.file.size);
      }),
    segment: (input, host) =>
      answering(async () => {
        const media = await files.get({ ...input, mayWalk: false }, host);
        const end = input.end / input.timescale;
        const asked = {
          number: input.n,
          start: input.start / input.timescale,
          end: end >= media.duration - sameCut ? Infinity : end,
          isKeyOnly: input.keyframeOnly === true,
        };
        const reader = files.reader(input.file, host);
        const parts = await media.plan(trackOf(media, input.track), asked, reader);
        return toPlan(parts, input.file.size);
      }),
  };
}

async function answering<Output>(make: () => Promise<Output>): Promise<Output | TranscodeFailure> {
  try {
    return await make();
  } catch (error) {
    if (error instanceof UnsupportedError) {
      return { kind: 'failed', code: 'unsupported', message: error.message };
    }
    return { kind: 'failed', ...failureOf(error) };
  }
}

function trackOf(media: OpenMedia, id: string): MediaTrack {
  const found = media.tracks.find((track) => idOf(track) === id);
  if (found === undefined) throw new UnsupportedError(`The file has no track ${id}.`);
  if (found.format === undefined) {
    throw new UnsupportedError(`The track ${id} is in a format that is not copied.`);
  }
  return found;
}

const idOf = ({ kind, stream }: MediaTrack): string => `${kind === 'video' ? 'v' : 'a'}${stream}`;

function toIndex(media: OpenMedia): TranscodeIndex {
  return {
    kind: 'read',
    tracks: media.tracks.map(toTrack),
    timescale,
    cuts: Array.from(media.cuts, units),
    duration: units(media.duration),
    startTime: units(media.start),
    isComplete: media.walk?.isComplete ?? true,
    state: media.walk?.state ?? null,
  };
}

function toTrack(track: MediaTrack): TranscodeTrack {
  const { stream, kind, format, rates, frames } = track;
  return {
    id: idOf(track),
    stream,
    kind,
    mimeType: format?.mimeType ?? `${kind}/mp4`,
    codecs: format?.codec ?? '',
    canCopy: format !== undefined,
    ...format?.about,
    ...(frames !== undefined && { frames }),
    ...(rates?.largest !== undefined && { bandwidth: rates.largest }),
    ...(rates?.average !== undefined && { averageBandwidth: rates.average }),
    ...(kind === 'video' && rates?.keys !== undefined && { keyframeBandwidth: rates.keys }),
  };
}
