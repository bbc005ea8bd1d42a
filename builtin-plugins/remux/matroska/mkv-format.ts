/** The format of a Matroska track, by its setup, and by its first packet where the setup is not enough. */
import { u8 } from '../../media-headers/bytes/numbers.ts';
import { readMpegAudioFrame } from '../../media-headers/codecs/mpeg-audio.ts';
import { dolbyVisionFormat } from '../formats/dolby-vision.ts';
import { readAc3, readEac3, type DolbyFrame } from '../formats/dolby-boxes.ts';
import { flacSamples, opusSamples, readAacClock } from '../formats/frame-lengths.ts';
import {
  aacFormat,
  ac3Format,
  alacFormat,
  eac3Format,
  flacFormat,
  mp3Format,
  opusConfiguration,
  opusFormat,
} from '../formats/sound-formats.ts';
import type { TrackFormat } from '../formats/track-format.ts';
import {
  av1Format,
  avcFormat,
  hevcFormat,
  vp9Configuration,
  vp9Format,
} from '../formats/video-formats.ts';
import { readVp9Frame } from '../formats/vp9-frame.ts';
import type { MkvTrack } from './mkv-tracks.ts';

/** A format with the clock of its packets. */
export interface ClockedFormat {
  readonly format: TrackFormat;
  /** Ticks per second of its segments; of pictures that of the file. */
  readonly scale: number | undefined;
  /** Ticks of one packet, if all have as many. */
  readonly samples: number | undefined;
}

/** `undefined` when the packets of the track are not copied. */
export function formatOfTrack(track: MkvTrack, packet: Uint8Array): ClockedFormat | undefined {
  if (track.isPacked) return undefined;
  try {
    return track.kind === 'video' ? videoFormat(track, packet) : soundFormat(track, packet);
  } catch {
    return undefined;
  }
}

function videoFormat(track: MkvTrack, packet: Uint8Array): ClockedFormat | undefined {
  const format = plainVideoFormat(track, packet);
  if (format === undefined) return undefined;
  const whole = track.dolby === undefined ? format : dolbyVisionFormat(format, 'dvh1', track.dolby);
  return { format: whole, scale: undefined, samples: undefined };
}

function plainVideoFormat(track: MkvTrack, packet: Uint8Array): TrackFormat | undefined {
  const { codecId, setup, video } = track;
  if (codecId === 'V_VP9') {
    const frame = readVp9Frame(packet);
    return frame && vp9Format(vp9Configuration(frame, video), video);
  }
  if (setup === undefined) return undefined;
  if (codecId === 'V_MPEG4/ISO/AVC') return avcFormat(setup, video);
  if (codecId === 'V_MPEGH/ISO/HEVC') return hevcFormat(setup, video);
  return codecId === 'V_AV1' ? av1Format(setup, video) : undefined;
}

function soundFormat(track: MkvTrack, packet: Uint8Array): ClockedFormat | undefined {
  const { codecId, setup, sound } = track;
  switch (codecId) {
    case 'A_AC3':
    case 'A_AC3/BSID9':
    case 'A_AC3/BSID10':
      return dolbyFormat(readAc3(packet), (frame) => ac3Format(frame, sound));
    case 'A_EAC3':
      return dolbyFormat(readEac3(packet), (frame) => eac3Format(frame, sound));
    case 'A_OPUS':
      return setup && opusTrack(setup, packet);
    case 'A_FLAC':
      return setup && flacTrack(setup, track);
    case 'A_ALAC':
      return setup && alacTrack(setup, track);
    case 'A_MPEG/L3':
      return mp3Track(packet);
    default:
      return codecId.startsWith('A_AAC') && setup !== undefined
        ? aacTrack(setup, track)
        : undefined;
  }
}

function dolbyFormat(
  frame: DolbyFrame | undefined,
  make: (configuration: Uint8Array) => TrackFormat,
): ClockedFormat | undefined {
  if (frame === undefined) return undefined;
  const { configuration, sampleRate, samples } = frame;
  return { format: make(configuration), scale: sampleRate, samples };
}

function aacTrack(setup: Uint8Array, { sound }: MkvTrack): ClockedFormat | undefined {
  const { rate, samples } = readAacClock(setup);
  if (rate === 0) return undefined;
  return { format: aacFormat(setup, { ...sound, sampleRate: rate }), scale: rate, samples };
}

function opusTrack(setup: Uint8Array, packet: Uint8Array): ClockedFormat {
  const format = opusFormat(opusConfiguration(setup));
  return { format, scale: 48_000, samples: opusSamples(packet) };
}

/** The setup is a FLAC file without frames: four letters, and blocks of metadata. */
function flacTrack(setup: Uint8Array, { sound }: MkvTrack): ClockedFormat | undefined {
  const info = setup.subarray(4, 42);
  if (info.length < 38 || (u8(info, 0) & 0x7f) !== 0) return undefined;
  // Only the first block is kept, so it is the last one.
  const block = Uint8Array.of(0x80, ...info.subarray(1));
  const configuration = Uint8Array.of(0, 0, 0, 0, ...block);
  const rate = Math.round(sound.sampleRate);
  return {
    format: flacFormat(configuration, sound),
    scale: rate,
    samples: flacSamples(info.subarray(4)),
  };
}

function alacTrack(setup: Uint8Array, { sound }: MkvTrack): ClockedFormat | undefined {
  if (setup.length < 24) return undefined;
  const samples = ((u8(setup, 0) * 256 + u8(setup, 1)) * 256 + u8(setup, 2)) * 256 + u8(setup, 3);
  const rate = Math.round(sound.sampleRate);
  const content = Uint8Array.of(0, 0, 0, 0, ...setup.subarray(0, 24));
  return { format: alacFormat(content, sound), scale: rate, samples: samples || undefined };
}

function mp3Track(packet: Uint8Array): ClockedFormat | undefined {
  const frame = readMpegAudioFrame(packet, 0);
  if (frame?.codec !== 'mp3') return undefined;
  const { sampleRate, samples } = frame;
  return { format: mp3Format(frame), scale: sampleRate, samples };
}
