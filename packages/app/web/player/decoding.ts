/**
 * What the browser says of the streams of a file, by `MediaCapabilities.decodingInfo`: unlike a type alone,
 * it knows the size of a picture, its frame rate, its dynamic range, and the channels of a sound.
 */
import type { Client, PlaybackFile } from './requests.ts';

type Track = PlaybackFile['tracks'][number];
type Hdr = NonNullable<Track['hdr']>;

/** Says whether the browser decodes it. A decoder that is slow, or takes much power, counts. */
export type AskDecoding = (configuration: MediaDecodingConfiguration) => Promise<boolean>;

/** Lines of smaller pictures, which are tried where the picture of a file is refused. */
const smallerLines = [2160, 1080, 720] as const;
const stereo = 2;
/** What counts where a file does not say it. */
const usual = { frameRate: 24, bitsPerPixel: 0.1, soundBitrate: 192_000, sampleRate: 48_000 };

/** The dynamic range of a picture, as the browser names it. */
const ranges: Readonly<Record<Hdr, Partial<VideoConfiguration>>> = {
  hdr10: { hdrMetadataType: 'smpteSt2086', colorGamut: 'rec2020', transferFunction: 'pq' },
  hdr10plus: { hdrMetadataType: 'smpteSt2094-40', colorGamut: 'rec2020', transferFunction: 'pq' },
  'dolby-vision': {
    hdrMetadataType: 'smpteSt2094-10',
    colorGamut: 'rec2020',
    transferFunction: 'pq',
  },
  hlg: { colorGamut: 'rec2020', transferFunction: 'hlg' },
};

/** The codecs that a type names. */
const codecsOf = (type: string): readonly string[] =>
  (/codecs="([^"]*)"/.exec(type)?.[1] ?? '').split(',').map((one) => one.trim());

/** `avc1` of `avc1.640028`. */
const familyOf = (codec: string): string => codec.split('.', 1)[0] ?? '';

/** The question for a picture; `undefined` = its size is not known. */
function pictureOf(type: string, track: Track): VideoConfiguration | undefined {
  const { width, height, frameRate, bitrate } = track;
  if (width === null || height === null) return undefined;
  const framerate = frameRate !== null && frameRate > 0 ? frameRate : usual.frameRate;
  return {
    contentType: type,
    width,
    height,
    framerate,
    bitrate: bitrate ?? Math.round(width * height * framerate * usual.bitsPerPixel),
  };
}

const soundOf = (type: string, { channels, bitrate, sampleRate }: Track): AudioConfiguration => ({
  contentType: type,
  channels: String(channels ?? stereo),
  bitrate: bitrate ?? usual.soundBitrate,
  samplerate: sampleRate ?? usual.sampleRate,
});

/** The same picture with fewer lines. */
const smaller = (video: VideoConfiguration, height: number): VideoConfiguration => ({
  ...video,
  height,
  width: Math.round((video.width * height) / video.height),
  bitrate: Math.round(video.bitrate * (height / video.height) ** 2),
});

/** What a stream changes in what the browser plays. */
interface Limits {
  readonly refused?: string;
  readonly maxHeight?: number;
  readonly maxChannels?: number;
  readonly withoutHdr?: Hdr;
}

/**
 * What the browser plays of a file, less what it refuses to decode. A picture that it decodes only smaller
 * limits the height, and a sound that it decodes only in stereo limits the channels: what the server makes
 * has the same codec. Streams whose type it does not accept alone are not asked for.
 */
export async function withinDecoding(
  { tracks, candidates: [whole] }: Pick<PlaybackFile, 'tracks' | 'candidates'>,
  client: Client,
  ask: AskDecoding,
): Promise<Client> {
  const asks = async (track: Track): Promise<Limits> => {
    const { kind, codecs } = track;
    const isOwn = (type: string): boolean => {
      const named = codecsOf(type);
      return type.startsWith(`${kind}/`) && named.length === 1 && named[0] === codecs;
    };
    const segments = client.mse.find(isOwn);
    const contentType = segments ?? client.src.find(isOwn);
    if (codecs === null || contentType === undefined) return {};
    const type = segments === undefined ? 'file' : 'media-source';
    if (kind === 'audio') {
      const audio = soundOf(contentType, track);
      if (await ask({ type, audio })) return {};
      const isLess = (track.channels ?? stereo) > stereo;
      return isLess && (await ask({ type, audio: { ...audio, channels: String(stereo) } }))
        ? { maxChannels: stereo }
        : { refused: codecs };
    }
    const video = pictureOf(contentType, track);
    if (video === undefined) return {};
    if (await ask({ type, video })) {
      const { hdr } = track;
      if (hdr === null || client.hdr?.includes(hdr) !== true) return {};
      return (await ask({ type, video: { ...video, ...ranges[hdr] } })) ? {} : { withoutHdr: hdr };
    }
    for (const height of smallerLines)
      if (height < video.height && (await ask({ type, video: smaller(video, height) })))
        return { maxHeight: height };
    return { refused: codecs };
  };

  const [picture] = tracks.filter(({ kind }) => kind === 'video');
  const sounds = tracks.filter(({ kind }) => kind === 'audio');
  const all = await Promise.all([...(picture === undefined ? [] : [picture]), ...sounds].map(asks));
  const refused = all.flatMap((one) => one.refused ?? []);
  // A whole file names its codecs less exactly than its segments. What is made may be of the same family.
  const isPlayed = (type: string): boolean => {
    const named = codecsOf(type);
    const isWhole = type === whole || named.length > 1;
    return !refused.some((one) =>
      named.some((codec) => codec === one || (isWhole && familyOf(codec) === familyOf(one))),
    );
  };
  const heights = all.flatMap(({ maxHeight }) => maxHeight ?? []);
  const channels = all.flatMap(({ maxChannels }) => maxChannels ?? []);
  return {
    ...client,
    mse: client.mse.filter(isPlayed),
    src: client.src.filter(isPlayed),
    ...(client.hdr !== undefined && {
      hdr: client.hdr.filter((one) => all.every(({ withoutHdr }) => withoutHdr !== one)),
    }),
    ...(heights.length > 0 && { maxHeight: Math.min(...heights) }),
    ...(channels.length > 0 && { maxChannels: Math.min(...channels) }),
  };
}

/** The first of these limits that holds the value: files of one class are asked for once. */
const classOf = (value: number, limits: readonly number[]): number =>
  limits.find((limit) => value <= limit) ?? value;

const keyOf = ({ type, video, audio }: MediaDecodingConfiguration): string =>
  JSON.stringify([
    type,
    video && {
      ...video,
      width: 0,
      height: classOf(
        Math.max(video.height, (video.width * 9) / 16),
        [480, 576, 720, 1080, 1440, 2160, 4320],
      ),
      framerate: classOf(video.framerate, [30, 60, 120]),
      bitrate: classOf(video.bitrate, [2e6, 5e6, 10e6, 20e6, 40e6, 80e6]),
    },
    audio && { ...audio, bitrate: 0 },
  ]);

const answers = new Map<string, Promise<boolean>>();

/** Asks the browser once for each class of streams. A browser that has no answer refuses nothing. */
export const askBrowser: AskDecoding = (configuration) => {
  const { mediaCapabilities } = navigator as {
    readonly mediaCapabilities?: Pick<MediaCapabilities, 'decodingInfo'>;
  };
  if (mediaCapabilities === undefined) return Promise.resolve(true);
  const key = keyOf(configuration);
  const ask = async (): Promise<boolean> => {
    try {
      return (await mediaCapabilities.decodingInfo(configuration)).supported;
    } catch {
      return true;
    }
  };
  const answer = answers.get(key) ?? ask();
  answers.set(key, answer);
  return answer;
};
