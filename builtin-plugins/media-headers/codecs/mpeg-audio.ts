/** MPEG audio, layers 1 to 3: the header of a frame. */
import type { AudioFormat } from './video-format.ts';

const bitrates: Readonly<Record<string, readonly number[]>> = {
  '1-1': [0, 32, 64, 96, 128, 160, 192, 224, 256, 288, 320, 352, 384, 416, 448],
  '1-2': [0, 32, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320, 384],
  '1-3': [0, 32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320],
  '2-1': [0, 32, 48, 56, 64, 80, 96, 112, 128, 144, 160, 176, 192, 224, 256],
  '2-2': [0, 8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160],
};

const rates = [44100, 48000, 32000];

export interface MpegAudioFrame extends AudioFormat {
  readonly codec: 'mp1' | 'mp2' | 'mp3';
  readonly version: 1 | 2 | 2.5;
  readonly bitrate: number;
  readonly sampleRate: number;
  readonly channels: 1 | 2;
  /** Bytes, including the header. */
  readonly length: number;
  /** Samples of one channel. */
  readonly samples: number;
}

/** The frame whose header is at a place, if there is one. */
export function readMpegAudioFrame(bytes: Uint8Array, at: number): MpegAudioFrame | undefined {
  const [first = 0, second = 0, third = 0, fourth = 0] = bytes.subarray(at, at + 4);
  if (first !== 0xff || (second & 0xe0) !== 0xe0) return undefined;
  const versionBits = (second >> 3) & 3;
  const layer = 4 - ((second >> 1) & 3);
  if (versionBits === 1 || layer === 4) return undefined;
  const version = versionBits === 3 ? 1 : versionBits === 2 ? 2 : 2.5;
  const table = `${version === 1 ? 1 : 2}-${version === 1 ? layer : Math.min(layer, 2)}`;
  const bitrate = (bitrates[table]?.[third >> 4] ?? 0) * 1000;
  const rate = rates[(third >> 2) & 3];
  if (bitrate === 0 || rate === undefined) return undefined;
  const sampleRate = rate / (version === 1 ? 1 : version === 2 ? 2 : 4);
  const samples = layer === 1 ? 384 : layer === 3 && version !== 1 ? 576 : 1152;
  const padding = (third >> 1) & 1;
  const slot = layer === 1 ? 4 : 1;
  return {
    codec: layer === 1 ? 'mp1' : layer === 2 ? 'mp2' : 'mp3',
    version,
    bitrate,
    sampleRate,
    channels: fourth >> 6 === 3 ? 1 : 2,
    length: (Math.floor((samples / 8 / slot) * (bitrate / sampleRate)) + padding) * slot,
    samples,
  };
}
