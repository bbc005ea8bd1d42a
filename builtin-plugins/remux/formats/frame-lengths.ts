/** How many samples a packet of sound has. */
import { BitReader } from '../../media-headers/bytes/bit-reader.ts';
import { u16, u8 } from '../../media-headers/bytes/numbers.ts';

const aacRates = [
  96000, 88200, 64000, 48000, 44100, 32000, 24000, 22050, 16000, 12000, 11025, 8000, 7350,
];

/** The rate of the coder itself, without what SBR adds, and the samples of a packet at that rate. */
export function readAacClock(configuration: Uint8Array): { rate: number; samples: number } {
  const bits = new BitReader(configuration);
  const readRate = (): number => {
    const index = bits.bits(4);
    return index === 15 ? bits.bits(24) : (aacRates[index] ?? 0);
  };
  const object = bits.bits(5);
  if (object === 31) bits.skip(6);
  const rate = readRate();
  bits.skip(4);
  if (object === 5 || object === 29) return { rate, samples: 1024 };
  return { rate, samples: object < 5 && bits.flag() ? 960 : 1024 };
}

/** Samples at 48 kHz of an Opus packet (RFC 6716, 3.1); `undefined` when it has none. */
export function opusSamples(packet: Uint8Array): number | undefined {
  if (packet.length === 0) return undefined;
  const head = u8(packet, 0);
  const form = head >> 3;
  const tenths =
    form < 12
      ? [100, 200, 400, 600][form & 3]
      : form < 16
        ? [100, 200][form & 1]
        : [25, 50, 100, 200][form & 3];
  const code = head & 3;
  const frames = code === 0 ? 1 : code < 3 ? 2 : (packet[1] ?? 0) & 63;
  return frames === 0 ? undefined : ((tenths ?? 200) * 48 * frames) / 10;
}

/** Samples of a FLAC frame, if all frames but the last have as many (RFC 9639, 8.2). */
export function flacSamples(streamInfo: Uint8Array): number | undefined {
  const [least, most] = [u16(streamInfo, 0), u16(streamInfo, 2)];
  return least === most && most > 0 ? most : undefined;
}
