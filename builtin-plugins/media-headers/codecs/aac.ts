/** AAC: the configuration in containers, and the header of a separate frame. */
import { BitReader } from '../bytes/bit-reader.ts';
import { u8 } from '../bytes/numbers.ts';
import type { AudioFormat } from './video-format.ts';

const rates = [
  96000, 88200, 64000, 48000, 44100, 32000, 24000, 22050, 16000, 12000, 11025, 8000, 7350,
];

const profiles = new Map([
  [1, 'Main'],
  [2, 'LC'],
  [3, 'SSR'],
  [4, 'LTP'],
  [5, 'HE-AAC'],
  [23, 'LD'],
  [29, 'HE-AACv2'],
  [39, 'ELD'],
  [42, 'xHE-AAC'],
]);

/** Channels by the number of their arrangement. */
const arrangements = [0, 1, 2, 3, 4, 5, 6, 8, 0, 0, 0, 7, 8, 0, 8];

/** AudioSpecificConfig. */
export function readAacConfiguration(bytes: Uint8Array): AudioFormat {
  const bits = new BitReader(bytes);
  let object = readObject(bits);
  let sampleRate = readRate(bits);
  const channels = arrangements[bits.bits(4)];
  if (object === 5 || object === 29) {
    sampleRate = readRate(bits);
    return {
      profile: profiles.get(object),
      sampleRate,
      channels: playedChannels(object, channels),
    };
  }
  const extension = findExtension(bytes, bits);
  if (extension !== undefined) {
    object = extension.object;
    sampleRate = extension.sampleRate ?? sampleRate;
  }
  return { profile: profiles.get(object), sampleRate, channels: playedChannels(object, channels) };
}

/** Parametric stereo makes two channels of one. */
function playedChannels(object: number, channels: number | undefined): number | undefined {
  if (object === 29 && channels === 1) return 2;
  return channels === 0 ? undefined : channels;
}

/** The marker after the plain configuration, which old players ignore. */
function findExtension(
  bytes: Uint8Array,
  bits: BitReader,
): { readonly object: number; readonly sampleRate: number | undefined } | undefined {
  if (bytes.length < 5) return undefined;
  bits.skip(3);
  if (bits.bits(11) !== 0x2b7 || readObject(bits) !== 5 || !bits.flag()) return undefined;
  const sampleRate = readRate(bits);
  const hasStereo = bytes.length > 6 && bits.bits(11) === 0x548 && bits.flag();
  return { object: hasStereo ? 29 : 5, sampleRate };
}

function readObject(bits: BitReader): number {
  const object = bits.bits(5);
  return object === 31 ? 32 + bits.bits(6) : object;
}

function readRate(bits: BitReader): number | undefined {
  const index = bits.bits(4);
  return index === 15 ? bits.bits(24) : rates[index];
}

/** One ADTS frame: 1024 samples, a length in bytes. */
export interface AdtsFrame extends AudioFormat {
  readonly length: number;
  readonly sampleRate: number;
  readonly samples: number;
}

/** The frame whose header is at a place, if there is one. */
export function readAdtsFrame(bytes: Uint8Array, at: number): AdtsFrame | undefined {
  if (at + 7 > bytes.length) return undefined;
  if (u8(bytes, at) !== 0xff || (u8(bytes, at + 1) & 0xf6) !== 0xf0) return undefined;
  const third = u8(bytes, at + 2);
  const fourth = u8(bytes, at + 3);
  const sampleRate = rates[(third >> 2) & 15];
  const length = ((fourth & 3) << 11) | (u8(bytes, at + 4) << 3) | (u8(bytes, at + 5) >> 5);
  if (sampleRate === undefined || length < 7) return undefined;
  return {
    codec: 'aac',
    profile: profiles.get((third >> 6) + 1),
    channels: playedChannels(2, arrangements[((third & 1) << 2) | (fourth >> 6)]),
    sampleRate,
    length,
    samples: 1024 * ((u8(bytes, at + 6) & 3) + 1),
  };
}
