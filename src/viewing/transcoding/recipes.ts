/**
 * Recipes: how something is converted, in words and numbers of a closed set. No text of a client or a
 * plugin reaches a command line; a value that is not in the set is refused here.
 */
import type {
  AudioRecipe,
  ConversionRecipe,
  MediaStream,
  PlaybackStream,
  TranscodeDecideInput,
  VideoRecipe,
} from '../../../plugin-api/index.ts';

type Fields = Readonly<Record<string, unknown>>;

/** The rungs below the original, as people choose them, with their usual rate in kbit/s. */
export const rungs: readonly { readonly height: number; readonly kbps: number }[] = [
  { height: 2160, kbps: 24_000 },
  { height: 1440, kbps: 14_000 },
  { height: 1080, kbps: 8000 },
  { height: 720, kbps: 4000 },
  { height: 480, kbps: 1800 },
  { height: 360, kbps: 900 },
  { height: 240, kbps: 500 },
  { height: 144, kbps: 250 },
];

const videoCodecs = ['h264', 'hevc', 'av1'] as const;
const audioCodecs = ['aac', 'opus', 'flac'] as const;

/** The recipe for a picture: as high and good as source, client and machine allow. */
export function videoRecipe(
  stream: PlaybackStream,
  { client, machine, bitrate }: Pick<TranscodeDecideInput, 'client' | 'machine' | 'bitrate'>,
): VideoRecipe {
  const source = stream.height ?? 1080;
  const most = Math.min(source, client.maxHeight ?? source, machine.maxHeight ?? 2160, 2160);
  const maxKbps = client.maxKbps ?? Infinity;
  // A rate far too low for the height shows worse than a smaller picture.
  const affordable = rungs.find(({ kbps }) => kbps / 2 <= maxKbps)?.height ?? 144;
  const height = Math.max(144, Math.min(most, affordable));
  const usual = rungs.findLast((rung) => rung.height >= height)?.kbps ?? 24_000;
  const kbps = Math.min(usual, maxKbps, Math.ceil((bitrate ?? Infinity) / 1000));
  return {
    codec: 'h264',
    height: height - (height % 2),
    kbps: Math.max(100, Math.floor(kbps)),
    toneMap: stream.hdr !== undefined && !client.hdr.includes(stream.hdr),
    deinterlace: stream.isInterlaced === true,
    burn: null,
  };
}

const aacType = 'audio/mp4; codecs="mp4a.40.2"';
const opusType = 'audio/mp4; codecs="opus"';

/** The most that a recipe may change the loudness, in decibels. */
const mostGain = 24;
/** The least distance of a peak to full scale, in decibels. */
const headroom = 0.1;

/** The gain of a recipe that brings sound to -18 LUFS. No peak comes to 0 dB; one unknown is not raised. */
export function convertedGain(loudness: {
  readonly trackGainDb: number;
  readonly truePeakDb: number | null;
}): number {
  const { trackGainDb, truePeakDb } = loudness;
  const most = truePeakDb === null ? 0 : -truePeakDb - headroom;
  const gain = Math.max(-mostGain, Math.min(mostGain, trackGainDb, most));
  return Math.round(gain * 100) / 100;
}

/** The recipe for sound: in as many channels as the client plays, at most 5.1. */
export function audioRecipe(
  { channels = 2 }: Pick<MediaStream, 'channels'>,
  { client: { maxChannels, mse }, gainDb }: Pick<TranscodeDecideInput, 'client' | 'gainDb'>,
): AudioRecipe {
  const most = Math.min(channels, maxChannels ?? 6, 6);
  const chosen = most >= 6 ? 6 : most >= 2 ? 2 : 1;
  const codec = !mse.includes(aacType) && mse.includes(opusType) ? 'opus' : 'aac';
  return { codec, channels: chosen, kbps: { 1: 96, 2: 192, 6: 384 }[chosen], gainDb };
}

const isMap = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const isWhole = (value: unknown, least: number, most: number): value is number =>
  Number.isSafeInteger(value) && Number(value) >= least && Number(value) <= most;

const hasOnly = (value: Fields, keys: readonly string[]): boolean =>
  Object.keys(value).every((key) => keys.includes(key));

/** A recipe of a plugin, or `null` for one with any other key, word or number. */
export function parseRecipe(value: unknown): ConversionRecipe | null {
  if (!isMap(value) || !hasOnly(value, ['video', 'audio'])) return null;
  const { video, audio } = value;
  if (video !== undefined && !isVideoRecipe(video)) return null;
  if (audio !== undefined && !isAudioRecipe(audio)) return null;
  return { ...(video !== undefined && { video }), ...(audio !== undefined && { audio }) };
}

function isVideoRecipe(value: unknown): value is VideoRecipe {
  const keys = ['codec', 'height', 'kbps', 'toneMap', 'deinterlace', 'burn'];
  if (!isMap(value) || !hasOnly(value, keys)) return false;
  const { codec, height, kbps, toneMap, deinterlace, burn } = value;
  return (
    videoCodecs.some((one) => one === codec) &&
    isWhole(height, 144, 2160) &&
    height % 2 === 0 &&
    isWhole(kbps, 100, 80_000) &&
    typeof toneMap === 'boolean' &&
    typeof deinterlace === 'boolean' &&
    (burn === null || isWhole(burn, 0, 10_000))
  );
}

function isAudioRecipe(value: unknown): value is AudioRecipe {
  if (!isMap(value) || !hasOnly(value, ['codec', 'channels', 'kbps', 'gainDb'])) return false;
  const { codec, channels, kbps, gainDb } = value;
  return (
    audioCodecs.some((one) => one === codec) &&
    isWhole(channels, 1, 8) &&
    isWhole(kbps, 32, 2000) &&
    typeof gainDb === 'number' &&
    Math.abs(gainDb) <= mostGain
  );
}
