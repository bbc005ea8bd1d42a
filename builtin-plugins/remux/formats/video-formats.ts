/** Formats of pictures, from the configuration that containers keep for the codec. */
import { u16, u32, u8 } from '../../media-headers/bytes/numbers.ts';
import { readAvcConfiguration } from '../../media-headers/codecs/h264.ts';
import { readHevcConfiguration } from '../../media-headers/codecs/hevc.ts';
import { hdrByTransfer, type VideoFormat } from '../../media-headers/codecs/video-format.ts';
import {
  readAv1Configuration,
  readVp9Configuration,
} from '../../media-headers/codecs/web-video.ts';
import { box } from '../fmp4/boxes.ts';
import { videoEntry } from './entries.ts';
import type { FormatAbout, TrackFormat, VideoShape } from './track-format.ts';

const hex = (value: number, digits: number): string => value.toString(16).padStart(digits, '0');
const two = (value: number): string => String(value).padStart(2, '0');

/** A header that cannot be read costs only its details. */
function aboutOf(read: () => VideoFormat, { width, height, transfer }: VideoShape): FormatAbout {
  let format: VideoFormat = {};
  try {
    format = read();
  } catch {
    // The shape of the container stays.
  }
  const hdr = transfer === undefined ? format.hdr : hdrByTransfer(transfer);
  const videoRange = hdr === undefined ? 'SDR' : hdr === 'hlg' ? 'HLG' : 'PQ';
  const { bitDepth, frameRate } = format;
  return {
    width,
    height,
    videoRange,
    ...(bitDepth !== undefined && { bitDepth }),
    ...(frameRate !== undefined && { frameRate }),
  };
}

/** H.264 by its `avcC` (ISO/IEC 14496-15, 5.3.3). `avc3` has its parameter sets in the pictures. */
export function avcFormat(
  configuration: Uint8Array,
  shape: VideoShape,
  name: 'avc1' | 'avc3' = 'avc1',
): TrackFormat {
  const [profile, constraints, level] = [1, 2, 3].map((at) => u8(configuration, at));
  const codec = `${name}.${hex(profile ?? 0, 2)}${hex(constraints ?? 0, 2)}${hex(level ?? 0, 2)}`;
  return {
    codecName: 'h264',
    codec: codec.replace(/[A-F]/g, (letter) => letter.toLowerCase()),
    entry: videoEntry(name, shape, box('avcC', configuration)),
    about: aboutOf(() => readAvcConfiguration(configuration), shape),
  };
}

/**
 * H.265 by its `hvcC`. With all parameter sets in it, the entry is `hvc1`, which more players take
 * than `hev1`.
 */
export function hevcFormat(configuration: Uint8Array, shape: VideoShape): TrackFormat {
  const name = hasParameterSets(configuration) ? 'hvc1' : 'hev1';
  return {
    codecName: 'hevc',
    codec: `${name}.${hevcProfile(configuration)}`,
    entry: videoEntry(name, shape, box('hvcC', configuration)),
    about: aboutOf(() => readHevcConfiguration(configuration), shape),
  };
}

/** The form of ISO/IEC 14496-15, annex E. */
function hevcProfile(bytes: Uint8Array): string {
  const first = u8(bytes, 1);
  const space = ['', 'A', 'B', 'C'][first >> 6] ?? '';
  let compatibility = 0;
  for (let bit = 0, flags = u32(bytes, 2); bit < 32; bit++) {
    compatibility = compatibility * 2 + (Math.floor(flags / 2 ** bit) & 1);
  }
  const constraints = Array.from(bytes.subarray(6, 12));
  while (constraints.length > 0 && constraints.at(-1) === 0) constraints.pop();
  const tier = (first & 0x20) === 0 ? 'L' : 'H';
  return [
    `${space}${first & 0x1f}`,
    compatibility.toString(16).toUpperCase(),
    `${tier}${u8(bytes, 12)}`,
    ...constraints.map((value) => value.toString(16).toUpperCase()),
  ].join('.');
}

const parameterSets = [32, 33, 34];

function hasParameterSets(bytes: Uint8Array): boolean {
  const seen = new Set<number>();
  let at = 23;
  for (let array = u8(bytes, 22); array > 0; array--) {
    const kind = u8(bytes, at) & 0x3f;
    const units = u16(bytes, at + 1);
    at += 3;
    for (let unit = 0; unit < units; unit++) at += 2 + u16(bytes, at);
    if (units > 0 && at <= bytes.length) seen.add(kind);
  }
  return parameterSets.every((kind) => seen.has(kind));
}

/** AV1 by its `av1C`. */
export function av1Format(configuration: Uint8Array, shape: VideoShape): TrackFormat {
  const [second, third] = [u8(configuration, 1), u8(configuration, 2)];
  const profile = second >> 5;
  const isHigh = (third & 0x40) !== 0;
  const depth = isHigh ? (profile === 2 && (third & 0x20) !== 0 ? 12 : 10) : 8;
  const tier = (third & 0x80) === 0 ? 'M' : 'H';
  return {
    codecName: 'av1',
    codec: `av01.${profile}.${two(second & 0x1f)}${tier}.${two(depth)}`,
    entry: videoEntry('av01', shape, box('av1C', configuration)),
    about: aboutOf(() => readAv1Configuration(configuration), shape),
  };
}

/** VP9 by its `vpcC`, including its version and flags. */
export function vp9Format(configuration: Uint8Array, shape: VideoShape): TrackFormat {
  const [profile = 0, level = 0, depth = 0] = configuration.subarray(4, 7);
  const [primaries = 1, transfer = 1, matrix = 1] = configuration.subarray(7, 10);
  const short = `vp09.${two(profile)}.${two(level)}.${two(depth >> 4)}`;
  const colours = `${two((depth >> 1) & 7)}.${two(primaries)}.${two(transfer)}.${two(matrix)}`;
  const isPlain = depth >> 4 === 8 && transfer < 14;
  return {
    codecName: 'vp9',
    codec: isPlain ? short : `${short}.${colours}.${two(depth & 1)}`,
    entry: videoEntry('vp09', shape, box('vpcC', configuration)),
    about: aboutOf(() => readVp9Configuration(configuration), shape),
  };
}

/** Levels of VP9 by the most luma samples of a picture. */
const vp9Levels: readonly (readonly [samples: number, level: number])[] = [
  [36_864, 10],
  [73_728, 11],
  [122_880, 20],
  [245_760, 21],
  [552_960, 30],
  [983_040, 31],
  [2_228_224, 41],
  [8_912_896, 51],
  [35_651_584, 61],
];

/** The `vpcC` of a stream that comes without one. */
export function vp9Configuration(
  { profile, depth, chroma }: { profile: number; depth: number; chroma: number },
  { width, height }: VideoShape,
): Uint8Array {
  const level = vp9Levels.find(([samples]) => width * height <= samples)?.[1] ?? 62;
  return Uint8Array.of(1, 0, 0, 0, profile, level, (depth << 4) | (chroma << 1), 2, 2, 2, 0, 0);
}
