/** Packets of silence: what stands where a track of sound has nothing, since players wait for each moment. */
import { BitReader } from '../../media-headers/bytes/bit-reader.ts';
import { joined } from '../../media-headers/bytes/joined.ts';
import { numbers, zeros } from '../fmp4/boxes.ts';
import { readAacClock } from './frame-lengths.ts';
import type { Silence, SoundShape } from './track-format.ts';

const single = 0;
const pair = 1;
const lowFrequency = 3;
/** The elements of each arrangement of channels (ISO/IEC 14496-3, table 1.19). */
const arrangements: readonly (readonly number[] | undefined)[] = [
  undefined,
  [single],
  [pair],
  [single, pair],
  [single, pair, single],
  [single, pair, pair],
  [single, pair, pair, lowFrequency],
  [single, pair, pair, pair, lowFrequency],
];
/** AAC of low complexity, alone or as the core of HE-AAC. */
const objects: readonly number[] = [2, 5, 29];

/** A raw block of AAC without any band (ISO/IEC 14496-3, 4.4.2.1). */
export function aacSilence(configuration: Uint8Array): Silence | undefined {
  const bits = new BitReader(configuration);
  const object = bits.bits(5);
  if (bits.bits(4) === 15) bits.skip(24);
  const elements = arrangements[bits.bits(4)];
  const { rate, samples } = readAacClock(configuration);
  if (elements === undefined || !objects.includes(object) || rate === 0) return undefined;
  const shape = '0'.repeat(11);
  const stream = '0'.repeat(8 + 3);
  const seen = new Map<number, number>();
  const parts = elements.map((element) => {
    const place = seen.get(element) ?? 0;
    seen.set(element, place + 1);
    const head = binary(element, 3) + binary(place, 4);
    // The gain comes first in a single stream, before its shape.
    if (element !== pair) return `${head}${'0'.repeat(8)}${shape}000`;
    return `${head}1${shape}00${stream}${stream}`;
  });
  const text = `${parts.join('')}111`;
  const bytes = text.padEnd(Math.ceil(text.length / 8) * 8, '0').match(/.{8}/g) ?? [];
  const packet = Uint8Array.from(bytes, (byte) => parseInt(byte, 2));
  return { packet, seconds: samples / rate, isUsual: true };
}

const binary = (value: number, width: number): string => value.toString(2).padStart(width, '0');

/** A frame of MP3 whose side information is empty (ISO/IEC 11172-3, 2.4.1.7). */
export function mp3Silence({ channels, sampleRate }: SoundShape): Silence | undefined {
  const place = [44_100, 48_000, 32_000].indexOf(
    sampleRate < 16_000 ? sampleRate * 4 : sampleRate < 32_000 ? sampleRate * 2 : sampleRate,
  );
  if (place < 0) return undefined;
  const version = sampleRate >= 32_000 ? 0xfb : sampleRate >= 16_000 ? 0xf3 : 0xe3;
  const isFirst = version === 0xfb;
  const length = Math.floor(isFirst ? (144 * 32_000) / sampleRate : (72 * 8000) / sampleRate);
  const head = numbers(1, 0xff, version, 0x10 | (place << 2), channels === 1 ? 0xc0 : 0);
  const packet = joined([head, zeros(length - head.length)]);
  return { packet, seconds: (isFirst ? 1152 : 576) / sampleRate, isUsual: true };
}

/** An Opus packet of 20 ms; only of one stream (RFC 6716, 3.1; RFC 7845, 5.1.1). */
export const opusSilence = (configuration: Uint8Array): Silence | undefined =>
  configuration[10] === 0
    ? { packet: numbers(1, 0xfc, 0xff, 0xfe), seconds: 0.02, isUsual: false }
    : undefined;
