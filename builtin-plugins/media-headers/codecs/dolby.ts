/** AC-3 and E-AC-3: separate frames, and their boxes in MP4. */
import { BitReader } from '../bytes/bit-reader.ts';
import { indexOfBytes, slice, u8 } from '../bytes/numbers.ts';
import type { AudioFormat } from './video-format.ts';

const rates = [48000, 44100, 32000];
const channelsByMode = [2, 1, 2, 3, 3, 4, 4, 5];
const bitrates = [
  32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320, 384, 448, 512, 576, 640,
];

/** The first frame in the bytes. */
export function readDolbyFrame(bytes: Uint8Array): AudioFormat | undefined {
  const at = indexOfBytes(bytes, [0x0b, 0x77]);
  if (at < 0 || at + 8 > bytes.length) return undefined;
  const version = u8(bytes, at + 5) >> 3;
  if (version > 10) return readEnhancedFrame(bytes, at);
  const code = u8(bytes, at + 4);
  const bits = new BitReader(bytes.subarray(at + 6));
  const mode = bits.bits(3);
  if ((mode & 1) !== 0 && mode !== 1) bits.skip(2);
  if ((mode & 4) !== 0) bits.skip(2);
  if (mode === 2) bits.skip(2);
  const bitrate = bitrates[(code & 0x3f) >> 1];
  return {
    codec: 'ac3',
    sampleRate: rates[code >> 6],
    channels: (channelsByMode[mode] ?? 2) + bits.bit(),
    bitrate: bitrate === undefined ? undefined : bitrate * 1000,
  };
}

function readEnhancedFrame(bytes: Uint8Array, at: number): AudioFormat {
  const bits = new BitReader(bytes.subarray(at + 2));
  bits.skip(5);
  const length = (bits.bits(11) + 1) * 2;
  const rate = bits.bits(2);
  const half = bits.bits(2);
  const sampleRate = rate === 3 ? (rates[half] ?? 48000) / 2 : (rates[rate] ?? 48000);
  const blocks = rate === 3 ? 6 : ([1, 2, 3, 6][half] ?? 6);
  const mode = bits.bits(3);
  return {
    codec: 'eac3',
    sampleRate,
    channels: (channelsByMode[mode] ?? 2) + bits.bit(),
    bitrate: Math.round((length * 8 * sampleRate) / (blocks * 256)),
  };
}

/** `dac3`. */
export function readAc3Box(bytes: Uint8Array): AudioFormat {
  const bits = new BitReader(slice(bytes, 0, 3));
  const sampleRate = rates[bits.bits(2)];
  bits.skip(8);
  const channels = (channelsByMode[bits.bits(3)] ?? 2) + bits.bit();
  const bitrate = bitrates[bits.bits(5)];
  return { sampleRate, channels, bitrate: bitrate === undefined ? undefined : bitrate * 1000 };
}

/** `dec3`: the first of its substreams. */
export function readEac3Box(bytes: Uint8Array): AudioFormat {
  const bits = new BitReader(bytes);
  const bitrate = bits.bits(13) * 1000;
  bits.skip(3);
  const sampleRate = rates[bits.bits(2)];
  bits.skip(5 + 1 + 1 + 3);
  const channels = (channelsByMode[bits.bits(3)] ?? 2) + bits.bit();
  bits.skip(3);
  const dependents = bits.bits(4);
  // Dependent substreams usually add two channels, the surround backs.
  return { sampleRate, channels: dependents > 0 ? channels + 2 : channels, bitrate };
}
