import type { MediaStream, PlaybackClient } from '../../../plugin-api/index.ts';
import { deviceProfiles, playlistTypes, playsType } from '../transcoding/index.ts';
import type { GivenClient } from '../../contract/resources/viewing/playback-sessions.ts';

type Hdr = NonNullable<MediaStream['hdr']>;

/** Kinds of subtitles that are pictures and are sent as they are. */
export type DrawnSubtitle = 'pgs';

/** A client with the words of its profile filled in. */
export interface KnownClient extends PlaybackClient {
  /** Whether it plays any sound of a file with several; browsers play the first. */
  readonly picksTracks: boolean;
  /** Whether it applies the gain of a file itself, as browsers do here. */
  readonly appliesGain: boolean;
  /** The kinds of subtitles that it draws over the picture. */
  readonly subtitles: readonly DrawnSubtitle[];
}

const allHdr: readonly Hdr[] = ['hdr10', 'hdr10plus', 'hlg', 'dolby-vision'];

/** What the client plays of the candidates. What it says itself goes before its profile. */
export function clientOf(given: GivenClient, candidates: readonly string[]): KnownClient {
  const profile = given.profile === undefined ? null : deviceProfiles[given.profile];
  const files =
    profile === null ? [] : candidates.filter((type) => playsType(profile, type, 'file'));
  const segments =
    profile === null ? [] : candidates.filter((type) => playsType(profile, type, 'segments'));
  const playlists = profile?.playsPlaylists === true ? playlistTypes : [];
  return {
    mse: given.mse,
    src: [...new Set([...given.src, ...files, ...segments, ...playlists])],
    maxHeight: given.maxHeight ?? profile?.maxHeight ?? null,
    maxKbps: given.maxKbps ?? null,
    maxChannels: given.maxChannels ?? profile?.maxChannels ?? null,
    hdr: given.hdr ?? (profile?.showsHdr === false ? [] : allHdr),
    picksTracks: profile?.picksTracks === true,
    appliesGain: profile?.appliesGain !== false,
    subtitles: given.subtitles ?? [],
  };
}
