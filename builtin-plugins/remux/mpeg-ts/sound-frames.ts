/** Frames of sound in a stream: how long each is, and the format that the first one names. */
import { readAdtsFrame } from '../../media-headers/codecs/aac.ts';
import { readMpegAudioFrame } from '../../media-headers/codecs/mpeg-audio.ts';
import { readAc3, readEac3 } from '../formats/dolby-boxes.ts';
import { aacFormat, ac3Format, eac3Format, mp3Format } from '../formats/sound-formats.ts';
import type { TrackFormat } from '../formats/track-format.ts';

/** A frame in a stream. */
export interface SoundFrame {
  /** Bytes, and how many of them are a header that is not sent. */
  readonly length: number;
  readonly header: number;
  /** Samples, and samples per second. */
  readonly samples: number;
  readonly rate: number;
  readonly format: () => TrackFormat | undefined;
}

/** The codecs of sound that are taken out of transport streams. */
export type SoundCodec = 'aac' | 'ac3' | 'eac3' | 'mp2';

/** The frame at a place; `undefined` when there is none. */
export function soundFrame(
  bytes: Uint8Array,
  at: number,
  codec: SoundCodec,
): SoundFrame | undefined {
  if (at + 8 > bytes.length) return undefined;
  if (codec === 'aac') return aacFrame(bytes, at);
  if (codec === 'ac3') return ac3Frame(bytes, at);
  return codec === 'eac3' ? eac3Frame(bytes, at) : mpegFrame(bytes, at);
}

function aacFrame(bytes: Uint8Array, at: number): SoundFrame | undefined {
  const frame = readAdtsFrame(bytes, at);
  if (frame === undefined || frame.samples !== 1024) return undefined;
  const [second = 0, third = 0, fourth = 0] = bytes.subarray(at + 1, at + 4);
  const object = (third >> 6) + 1;
  const arrangement = ((third & 1) << 2) | (fourth >> 6);
  const setup = (object << 11) | (((third >> 2) & 15) << 7) | (arrangement << 3);
  const shape = { channels: frame.channels ?? 2, sampleRate: frame.sampleRate };
  return {
    length: frame.length,
    header: (second & 1) === 1 ? 7 : 9,
    samples: frame.samples,
    rate: frame.sampleRate,
    format: () => aacFormat(Uint8Array.of(setup >> 8, setup & 255), shape),
  };
}

const kilobits = [
  32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320, 384, 448, 512, 576, 640,
];

function ac3Frame(bytes: Uint8Array, at: number): SoundFrame | undefined {
  const found = readAc3(bytes.subarray(at, at + 64));
  const code = (bytes[at + 4] ?? 0) & 0x3f;
  const rate = kilobits[code >> 1];
  if (found === undefined || rate === undefined) return undefined;
  const { sampleRate, samples, configuration } = found;
  const odd = sampleRate === 44_100 ? code & 1 : 0;
  const words = Math.floor((rate * 96_000) / sampleRate) + odd;
  const shape = { channels: channelsOf((bytes[at + 6] ?? 0) >> 5), sampleRate };
  const format = (): TrackFormat => ac3Format(configuration, shape);
  return { length: words * 2, header: 0, samples, rate: sampleRate, format };
}

const channelsOf = (arrangement: number): number => [2, 1, 2, 3, 3, 4, 4, 5][arrangement] ?? 2;

function eac3Frame(bytes: Uint8Array, at: number): SoundFrame | undefined {
  if (bytes[at] !== 0x0b || bytes[at + 1] !== 0x77) return undefined;
  let end = at;
  // Dependent frames belong to the frame before them.
  do {
    const [second = 0, third = 0] = bytes.subarray(end + 2, end + 4);
    end += ((((second & 7) << 8) | third) + 1) * 2;
  } while (end + 3 <= bytes.length && bytes[end] === 0x0b && (bytes[end + 2] ?? 0) >> 6 === 1);
  const found = readEac3(bytes.subarray(at, Math.min(end, bytes.length)));
  if (found === undefined) return undefined;
  const { sampleRate, samples, configuration } = found;
  const shape = { channels: channelsOf(((bytes[at + 4] ?? 0) >> 1) & 7), sampleRate };
  const format = (): TrackFormat => eac3Format(configuration, shape);
  return { length: end - at, header: 0, samples, rate: sampleRate, format };
}

function mpegFrame(bytes: Uint8Array, at: number): SoundFrame | undefined {
  const frame = readMpegAudioFrame(bytes, at);
  if (frame === undefined) return undefined;
  const { length, samples, sampleRate } = frame;
  const format = (): TrackFormat | undefined =>
    frame.codec === 'mp3' ? mp3Format(frame) : undefined;
  return { length, header: 0, samples, rate: sampleRate, format };
}
