/**
 * What devices play that cannot test it themselves, as data. A device names its profile; the types of
 * a file that the profile covers then count as tested.
 */
import type { profileNames } from '../../contract/resources/viewing/playback-sessions.ts';

/** A device. Types are matched by their container and the codecs in them. */
export interface DeviceProfile {
  /** Containers of whole files, as in their MIME type; `null` = all of them. */
  readonly files: readonly string[] | null;
  /** Codecs in whole files and in segments, each a pattern on the `codecs` parameter in small letters. */
  readonly codecs: readonly RegExp[];
  /** Whether it plays HLS playlists by itself. */
  readonly playsPlaylists: boolean;
  /** Whether the person chooses the sound in a file with several. */
  readonly picksTracks: boolean;
  readonly maxHeight: number | null;
  readonly maxChannels: number | null;
  readonly showsHdr: boolean;
  /**
   * Whether its client applies `files[].loudness` itself. A device that plays a link does not, so the
   * gain is in the sound that is converted for it.
   */
  readonly appliesGain: boolean;
}

export type ProfileName = (typeof profileNames)[number];

/** H.264 up to High at level 4.2, 8 bit. */
const avcTo42 = /^avc1\.(42|4d|58|64)[0-9a-f]{2}(0[9a-f]|1[0-9a-f]|2[0-9a])$/;
const avc = /^avc1\./;
const hevc = /^(hvc1|hev1)\./;
const aac = /^mp4a\.40\./;
const mp3 = /^(mp3|mp4a\.6b)$/;
const dolby = /^(ac-3|ec-3)$/;
const anything = /^[\w.-]+$/;

/** Everything that a player on ffmpeg plays. */
const player: DeviceProfile = {
  files: null,
  codecs: [anything],
  playsPlaylists: true,
  picksTracks: true,
  maxHeight: null,
  maxChannels: null,
  showsHdr: true,
  appliesGain: false,
};

/** By name. */
export const deviceProfiles: Readonly<Record<ProfileName, DeviceProfile>> = {
  // What nearly every television of the last ten years plays.
  'tv-generic': {
    files: ['video/mp4', 'audio/mpeg', 'audio/mp4'],
    codecs: [avcTo42, aac, mp3, dolby],
    playsPlaylists: true,
    picksTracks: false,
    maxHeight: 1080,
    maxChannels: 6,
    showsHdr: false,
    appliesGain: false,
  },
  // https://developers.google.com/cast/docs/media: first to third generation and later.
  chromecast: {
    files: [
      'video/mp4',
      'video/webm',
      'audio/mpeg',
      'audio/mp4',
      'audio/ogg',
      'audio/wav',
      'audio/flac',
    ],
    codecs: [avcTo42, /^vp8$/, aac, mp3, /^opus$/, /^vorbis$/, /^flac$/],
    playsPlaylists: true,
    picksTracks: false,
    maxHeight: 1080,
    maxChannels: 2,
    showsHdr: false,
    appliesGain: false,
  },
  // Apple TV 4K, as AVPlayer plays files and fragmented MP4.
  'apple-tv': {
    files: [
      'video/mp4',
      'video/quicktime',
      'audio/mp4',
      'audio/mpeg',
      'audio/aac',
      'audio/wav',
      'audio/flac',
    ],
    codecs: [avc, hevc, aac, mp3, dolby, /^alac$/, /^flac$/],
    playsPlaylists: true,
    picksTracks: true,
    maxHeight: null,
    maxChannels: 8,
    showsHdr: true,
    appliesGain: true,
  },
  kodi: player,
  vlc: player,
};

const form = /^((?:video|audio)\/[\w.+-]+)(?:; codecs="([^"]*)")?$/;

/** Whether the device plays a type: a file, or segments when it plays playlists. */
export function playsType(profile: DeviceProfile, type: string, as: 'file' | 'segments'): boolean {
  const [, mime = '', codecs = ''] = form.exec(type.toLowerCase()) ?? [];
  if (mime === '') return false;
  if (as === 'file' && profile.files !== null && !profile.files.includes(mime)) return false;
  if (as === 'segments' && (!profile.playsPlaylists || !mime.endsWith('/mp4'))) return false;
  const named = codecs.split(',').map((one) => one.trim());
  return codecs === '' || named.every((one) => profile.codecs.some((codec) => codec.test(one)));
}
