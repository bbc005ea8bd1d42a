/**
 * The server's own decision how a client plays a file: the cheapest way in which everything that was
 * selected plays. A file is played directly only if each selected stream plays in that container:
 * a browser that does not know a codec shows no picture, or is silent, without any error.
 */
import type {
  PlaybackClient,
  PlaybackReason,
  PlaybackStream,
  TranscodeDecideInput,
  TranscodeDecision,
} from '../../../plugin-api/index.ts';
import { hasType, likelySegmentType, segmentType } from './media-types.ts';
import { audioRecipe, videoRecipe } from './recipes.ts';

type Decided = TranscodeDecision['tracks'][number];

/** Types with which clients say that they play playlists by themselves. */
export const playlistTypes: readonly string[] = [
  'application/vnd.apple.mpegurl',
  'application/x-mpegurl',
];

/** Decides without a plugin. */
export function decide(input: TranscodeDecideInput): TranscodeDecision {
  const { streams, policy } = input;
  const limits = streams.map((stream) => limitsOf(stream, input));
  const isDirect =
    playsFile(input) &&
    streams.every((stream) => !hasNoPicture(stream, input.client)) &&
    limits.every((reasons) => reasons.every(isSoft(input)));
  if (isDirect && (policy.mode === 'auto' || policy.mode === 'direct'))
    return { tracks: streams.map(({ index }, at) => direct(index, limits[at] ?? [])) };
  const tracks = streams.map((stream, at) => wayOf(stream, limits[at] ?? [], input));
  return { tracks: withBurnt(tracks, input) };
}

/** Subtitles that are drawn into the picture make it a converted one. */
function withBurnt(tracks: readonly Decided[], input: TranscodeDecideInput): readonly Decided[] {
  const kindAt = (at: number) => input.streams[at]?.kind;
  const burnt = tracks.find((track, at) => kindAt(at) === 'subtitle' && track.way === 'convert');
  const picture = input.streams.find(({ kind }) => kind === 'video');
  if (burnt === undefined || picture === undefined) return tracks;
  const video = { ...videoRecipe(picture, input), burn: burnt.stream };
  return tracks.map((track, at): Decided => {
    if (kindAt(at) === 'audio' || track.way === 'refuse') return track;
    const reasons = track.reasons.filter((reason) => reason !== 'container');
    const named = new Set<PlaybackReason>([...reasons, 'subtitle_burn']);
    return { stream: track.stream, way: 'convert', reasons: [...named], recipe: { video } };
  });
}

const direct = (stream: number, reasons: readonly PlaybackReason[]): Decided => ({
  stream,
  way: 'direct',
  reasons,
});

/** What a better picture would need, and cannot get: the client shows it as well as it can. */
const isSoft =
  ({ machine }: TranscodeDecideInput) =>
  (reason: PlaybackReason): boolean =>
    (reason === 'hdr' || reason === 'interlaced') && !machine.converts;

const playsFile = ({ fileType, client, streams }: TranscodeDecideInput): boolean =>
  fileType !== null &&
  hasType(client.src, fileType) &&
  streams.every(({ kind }) => kind !== 'subtitle');

function wayOf(
  stream: PlaybackStream,
  limits: readonly PlaybackReason[],
  input: TranscodeDecideInput,
): Decided {
  const { client, policy, machine } = input;
  const { index } = stream;
  const codec = codecReason(stream, client);
  const hard = limits.filter((reason) => !isSoft(input)(reason));
  const reasons = [...(codec === null ? [] : [codec]), ...limits];
  const named: readonly PlaybackReason[] = reasons.length > 0 ? reasons : ['container'];
  if (hasNoPicture(stream, client)) return { stream: index, way: 'refuse', reasons: ['hdr'] };
  const canCopy = codec === null && hard.length === 0 && playsSegments(client);
  if (policy.mode === 'direct') return { stream: index, way: 'refuse', reasons: named };
  if (canCopy && policy.mode !== 'convert') return { stream: index, way: 'copy', reasons: named };
  const mayConvert = machine.converts && policy.mode !== 'remux' && playsSegments(client);
  if (!mayConvert) return { stream: index, way: 'refuse', reasons: named };
  const recipe =
    stream.kind === 'audio'
      ? { audio: audioRecipe(stream, input) }
      : { video: videoRecipe(stream, input) };
  return { stream: index, way: 'convert', reasons: named, recipe };
}

/** Dolby Vision of profile 5 is green and violet where nothing knows it, here too. */
const hasNoPicture = (
  { dolbyVisionProfile }: PlaybackStream,
  { hdr }: Pick<PlaybackClient, 'hdr'>,
): boolean => dolbyVisionProfile === 5 && !hdr.includes('dolby-vision');

/** Whether the client plays segments at all: through Media Source Extensions, or playlists itself. */
const playsSegments = ({ mse, src }: PlaybackClient): boolean =>
  mse.length > 0 || playlistTypes.some((type) => hasType(src, type));

/** Whether the client plays segments of this type. */
export function acceptsSegments(client: PlaybackClient, type: string): boolean {
  if (hasType(client.mse, type)) return true;
  return hasType(client.src, type) && playlistTypes.some((one) => hasType(client.src, one));
}

/** Why the samples of the stream cannot be sent as they are; `null` = they can. */
function codecReason(stream: PlaybackStream, client: PlaybackClient): PlaybackReason | null {
  if (stream.kind === 'subtitle') return 'subtitle_burn';
  const isVideo = stream.kind === 'video';
  const { track } = stream;
  if (track?.canCopy === true && acceptsSegments(client, segmentType(track))) return null;
  const type = track === null ? likelySegmentType(stream) : segmentType(track);
  // The client plays the codec, and nothing makes segments of it.
  if (type !== null && acceptsSegments(client, type)) return 'container';
  if (!isVideo) return 'audio_codec';
  const family = /codecs="(\w+)/.exec(type ?? '')?.[1]?.toLowerCase();
  const isKnown =
    family !== undefined &&
    [...client.mse, ...client.src].some((one) => one.toLowerCase().includes(`codecs="${family}.`));
  if (!isKnown) return 'video_codec';
  return (stream.bitDepth ?? 8) > 8 ? 'bit_depth' : 'video_level';
}

/** What of the stream is above what the client can show, hear or load. */
function limitsOf(stream: PlaybackStream, input: TranscodeDecideInput): readonly PlaybackReason[] {
  const { client, bitrate } = input;
  const isAbove = (value: number | null | undefined, most: number | null): boolean =>
    most !== null && value !== null && value !== undefined && value > most;
  if (stream.kind === 'audio')
    return isAbove(stream.channels, client.maxChannels) ? ['channels'] : [];
  if (stream.kind !== 'video') return [];
  const rate = bitrate ?? stream.bitrate ?? null;
  return [
    ...(isAbove(stream.height, client.maxHeight) ? (['video_level'] as const) : []),
    ...(stream.hdr !== undefined && !client.hdr.includes(stream.hdr) ? (['hdr'] as const) : []),
    ...(stream.isInterlaced === true && client.mse.length > 0 ? (['interlaced'] as const) : []),
    ...(isAbove(rate, client.maxKbps === null ? null : client.maxKbps * 1000)
      ? (['bitrate'] as const)
      : []),
  ];
}
