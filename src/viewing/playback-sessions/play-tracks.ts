/** The tracks of a file, as clients name them. */
import type { MediaStream, PlaybackStream } from '../../../plugin-api/index.ts';
import { codecsOf } from '../transcoding/index.ts';
import { trackOf, type PlayableFile } from './playable-file.ts';
import type { PlayTrack } from '../../contract/resources/viewing/playback-sessions.ts';

/** Streams that are played: a picture that covers an album is not one of them. */
export const streamsOf = (
  { streams }: Pick<PlayableFile, 'streams'>,
  kind: 'video' | 'audio' | 'subtitle',
): readonly MediaStream[] => streams.filter((stream) => stream.kind === kind);

const letters = { video: 'v', audio: 'a', subtitle: 's' } as const;

/** The id of a stream. */
export const idOf = ({ kind, index }: Pick<MediaStream, 'kind' | 'index'>): string =>
  `${kind === 'video' || kind === 'audio' || kind === 'subtitle' ? letters[kind] : 'd'}${index}`;

/** The stream of an id. */
export const streamOf = (
  { streams }: Pick<PlayableFile, 'streams'>,
  id: string,
): MediaStream | undefined => streams.find((stream) => idOf(stream) === id);

/** The stream with what a plugin planned of it. */
export const planned = (file: PlayableFile, stream: MediaStream): PlaybackStream => ({
  ...stream,
  track: trackOf(file, stream.index),
});

/** All tracks of a file: pictures, sound, then subtitles. */
export function tracksOf(file: PlayableFile): readonly PlayTrack[] {
  const known = new Set(file.texts.map(({ id }) => id));
  return [
    ...streamsOf(file, 'video').map((stream) => toTrack(file, stream)),
    ...streamsOf(file, 'audio').map((stream) => toTrack(file, stream)),
    ...file.texts.map(toTextTrack),
    ...streamsOf(file, 'subtitle')
      .filter((stream) => !known.has(idOf(stream)))
      .map((stream) => toTrack(file, stream)),
    ...(file.pictures ?? []).map(toPictureTrack),
  ];
}

function toTrack(file: PlayableFile, stream: MediaStream): PlayTrack {
  const { kind, codec, profile, language, title } = stream;
  const track = trackOf(file, stream.index);
  return {
    id: idOf(stream),
    kind: kind === 'video' || kind === 'audio' ? kind : 'subtitle',
    codec,
    codecs: track?.codecs ?? codecsOf(stream),
    profile: profile ?? null,
    language: language ?? null,
    title: title ?? null,
    isDefault: stream.isDefault === true,
    isForced: stream.isForced === true,
    isHearingImpaired: stream.isHearingImpaired === true,
    width: stream.width ?? null,
    height: stream.height ?? null,
    frameRate: stream.frameRate ?? null,
    bitDepth: stream.bitDepth ?? null,
    hdr: stream.hdr ?? null,
    channels: stream.channels ?? null,
    sampleRate: stream.sampleRate ?? null,
    bitrate: stream.bitrate ?? null,
    isText: false,
  };
}

const toTextTrack = (text: PlayableFile['texts'][number]): PlayTrack => ({
  id: text.id,
  kind: 'subtitle',
  codec: text.format,
  codecs: 'wvtt',
  profile: null,
  language: text.language,
  title: text.title,
  isDefault: text.isDefault,
  isForced: text.isForced,
  isHearingImpaired: text.isSdh,
  width: null,
  height: null,
  frameRate: null,
  bitDepth: null,
  hdr: null,
  channels: null,
  sampleRate: null,
  bitrate: null,
  isText: true,
});

const toPictureTrack = (picture: PlayableFile['texts'][number]): PlayTrack => ({
  ...toTextTrack(picture),
  codec: 'hdmv_pgs_subtitle',
  codecs: null,
  isText: false,
});
