import type { Quality, Session, SessionTrack } from './session.ts';

/** What a variant or rendition says of itself. */
export interface Described {
  readonly codecs: string;
  /** Bits per second. */
  readonly peak: number;
  readonly average: number | null;
}

const usualSoundRate = 256_000;
const usualPictureRate = 8_000_000;

/** What a quality of a track says of itself in the main playlist. */
export function describe(
  { file }: Pick<Session, 'file'>,
  { track }: SessionTrack,
  quality: Quality,
): Described {
  if ('track' in quality) {
    const { codecs, bandwidth, averageBandwidth } = quality.track;
    const usual = track.kind === 'video' ? (file.bitrate ?? usualPictureRate) : usualSoundRate;
    const rate = bandwidth ?? (track.bitrate ?? usual) * 1.5;
    const average = averageBandwidth === undefined ? null : Math.ceil(averageBandwidth);
    return { codecs, peak: Math.ceil(rate), average };
  }
  if ('audio' in quality) {
    const rate = quality.audio.kbps * 1000;
    return { codecs: soundCodecs[quality.audio.codec], peak: Math.ceil(rate * 1.2), average: rate };
  }
  const rate = quality.video.kbps * 1000;
  return { codecs: pictureCodecs(quality.video), peak: Math.ceil(rate * 1.5), average: rate };
}

const soundCodecs = { aac: 'mp4a.40.2', opus: 'opus', flac: 'flac' } as const;

/** The profiles and levels that conversion makes: the level is the least that holds the height. */
function pictureCodecs({
  codec,
  height,
}: {
  codec: 'h264' | 'hevc' | 'av1';
  height: number;
}): string {
  if (codec === 'h264') return `avc1.6400${height > 1080 ? '33' : height > 720 ? '28' : '1F'}`;
  if (codec === 'hevc') return `hvc1.1.6.L${height > 1080 ? '153' : '120'}.B0`;
  return `av01.0.${height > 1080 ? '12' : '08'}M.08`;
}

/** Channels of a quality of a sound. */
export function channelsOf({ track }: SessionTrack, quality: Quality): number {
  if ('audio' in quality) return quality.audio.channels;
  return ('track' in quality ? quality.track.channels : undefined) ?? track.channels ?? 2;
}

/** The attributes of a picture in a variant. */
export function pictureAttributes({ track }: SessionTrack, quality: Quality): string {
  const { width, height } = sizeOf(track, quality);
  const range =
    'track' in quality
      ? (quality.track.videoRange ?? rangeOf(track.hdr))
      : rangeOf('video' in quality && quality.video.toneMap ? null : track.hdr);
  const rate = ('track' in quality ? quality.track.frameRate : undefined) ?? track.frameRate;
  return [
    width === null || height === null ? '' : `,RESOLUTION=${width}x${height}`,
    rate === null ? '' : `,FRAME-RATE=${rate.toFixed(3)}`,
    `,VIDEO-RANGE=${range}`,
  ].join('');
}

const rangeOf = (hdr: SessionTrack['track']['hdr']): string =>
  hdr === null ? 'SDR' : hdr === 'hlg' ? 'HLG' : 'PQ';

/** Pixels of a quality of a picture. */
export function sizeOf(track: SessionTrack['track'], quality: Quality) {
  if ('track' in quality)
    return {
      width: quality.track.width ?? track.width,
      height: quality.track.height ?? track.height,
    };
  const { width, height } = track;
  if (!('video' in quality) || width === null || height === null) return { width, height };
  const wide = Math.round((width * quality.video.height) / height / 2) * 2;
  return { width: wide, height: quality.video.height };
}
