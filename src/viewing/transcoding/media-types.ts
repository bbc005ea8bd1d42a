/** The exact types (RFC 6381) of what the probe found, for clients that test what they play. */
import type { MediaStream, TranscodeTrack } from '../../../plugin-api/index.ts';

/** What of a stream its type depends on. */
export type TypedStream = Pick<
  MediaStream,
  'index' | 'kind' | 'codec' | 'profile' | 'level' | 'bitDepth'
>;

/**
 * Types of containers. Another one goes by its own name, which only a device that plays everything
 * accepts: others get new segments, or a conversion.
 */
const containers: Readonly<Record<string, string>> = {
  mp4: 'mp4',
  mov: 'quicktime',
  matroska: 'x-matroska',
  webm: 'webm',
  mpegts: 'mp2t',
  mpeg: 'mp2p',
  avi: 'x-msvideo',
  asf: 'x-ms-asf',
  flv: 'x-flv',
  ogg: 'ogg',
  mp3: 'mpeg',
  aac: 'aac',
  flac: 'flac',
  wav: 'wav',
};

/** Files of one stream, whose container is its codec: their type has no codecs. */
const bare: ReadonlySet<string> = new Set(['mp3', 'aac', 'flac']);

/**
 * The type of a file with these streams of it, as `canPlayType` takes it; `null` where the container
 * or a codec is not known.
 */
export function fileType(container: string | null, streams: readonly TypedStream[]): string | null {
  if (container === null || !isName(container) || streams.length === 0) return null;
  const subtype = containers[container] ?? `x-${container}`;
  const kind = streams.some((stream) => stream.kind === 'video') ? 'video' : 'audio';
  if (bare.has(container) && kind === 'audio') return `audio/${subtype}`;
  const codecs = streams.map(codecsOf);
  if (codecs.includes(null)) return null;
  return `${kind}/${subtype}; codecs="${codecs.join(', ')}"`;
}

/** The type of the segments of a track, as `MediaSource.isTypeSupported` takes it. */
export const segmentType = ({
  mimeType,
  codecs,
}: Pick<TranscodeTrack, 'mimeType' | 'codecs'>): string => `${mimeType}; codecs="${codecs}"`;

/** The same for a stream that no plugin has looked at: in fragmented MP4. */
export function likelySegmentType(stream: TypedStream): string | null {
  const codecs = codecsOf(stream);
  return codecs === null ? null : `${stream.kind}/mp4; codecs="${codecs}"`;
}

/** Codecs whose name does not depend on profile and level. */
const plainCodecs: Readonly<Record<string, string>> = {
  vp8: 'vp8',
  theora: 'theora',
  mpeg4: 'mp4v.20.9',
  mpeg2video: 'mp4v.61',
  mpeg1video: 'mp4v.6A',
  mp3: 'mp3',
  ac3: 'ac-3',
  eac3: 'ec-3',
  ac4: 'ac-4',
  dts: 'dtsc',
  truehd: 'mlpa',
  opus: 'opus',
  vorbis: 'vorbis',
  flac: 'flac',
  alac: 'alac',
};

/** Whether a list of types has this one. Types and codecs are compared without case (RFC 6381, section 3.3). */
export function hasType(types: readonly string[], type: string): boolean {
  const wanted = type.toLowerCase();
  return types.some((one) => one.toLowerCase() === wanted);
}

/**
 * The `codecs` parameter of a stream. A codec without a name there goes by its own, which only a
 * device that plays everything accepts; `null` where the codec is not known.
 */
export function codecsOf(stream: TypedStream): string | null {
  const { codec } = stream;
  if (codec === 'h264') return avcCodecs(stream);
  if (codec === 'hevc') return hevcCodecs(stream);
  if (codec === 'av1') return av1Codecs(stream);
  if (codec === 'vp9') return vp9Codecs(stream);
  if (codec === 'aac') return aacCodecs(stream);
  if (/^pcm_[suf]\d+[lb]e$/.test(codec)) return '1';
  return plainCodecs[codec] ?? (isName(codec) ? codec : null);
}

/** Whether a probe knew a container or codec, and its name can stand in a type. */
const isName = (word: string): boolean => /^[\w-]+$/.test(word) && word !== 'unknown';

const hex = (value: number): string => value.toString(16).toUpperCase().padStart(2, '0');

const levelOf = ({ level }: TypedStream, usual: number): number => {
  const value = Number(level);
  return value > 0 && value < 20 ? value : usual;
};

/** Profile and constraint flags by the name of the profile (H.264, annex A). */
const avcProfiles: Readonly<Record<string, string>> = {
  Baseline: '4200',
  'Constrained Baseline': '42E0',
  Main: '4D40',
  Extended: '5800',
  High: '6400',
  'High 10': '6E00',
  'High 10 Intra': '6E10',
  'High 4:2:2': '7A00',
  'High 4:4:4 Predictive': 'F400',
};

const avcCodecs = (stream: TypedStream): string =>
  `avc1.${avcProfiles[stream.profile ?? 'High'] ?? '6400'}${hex(Math.round(levelOf(stream, 4) * 10))}`;

/** ISO/IEC 14496-15, annex E. */
function hevcCodecs(stream: TypedStream): string {
  const isTen = stream.profile === 'Main 10' || (stream.bitDepth ?? 8) > 8;
  const profile = stream.profile === 'Rext' ? '4.10' : isTen ? '2.4' : '1.6';
  return `hvc1.${profile}.L${Math.round(levelOf(stream, 4) * 30)}.B0`;
}

/** AV1 in ISOBMFF, section 5: levels count from 2.0 in four steps each. */
function av1Codecs(stream: TypedStream): string {
  const profile = { Main: 0, High: 1, Professional: 2 }[stream.profile ?? 'Main'] ?? 0;
  const [major = 4, minor = 0] = (stream.level ?? '4.0').split('.').map(Number);
  const level = Math.max(0, (major - 2) * 4 + minor);
  const depth = String(stream.bitDepth ?? 8).padStart(2, '0');
  return `av01.${profile}.${String(level).padStart(2, '0')}M.${depth}`;
}

function vp9Codecs(stream: TypedStream): string {
  const profile = /^Profile (\d)$/.exec(stream.profile ?? '')?.[1] ?? '0';
  const level = Math.round(levelOf(stream, 4) * 10);
  return `vp09.0${profile}.${level}.${String(stream.bitDepth ?? 8).padStart(2, '0')}`;
}

const aacObjects: Readonly<Record<string, number>> = {
  Main: 1,
  LC: 2,
  'HE-AAC': 5,
  'HE-AACv2': 29,
  'xHE-AAC': 42,
};

const aacCodecs = ({ profile }: TypedStream): string =>
  `mp4a.40.${aacObjects[profile ?? 'LC'] ?? 2}`;
