/** The boxes of AC-3 and E-AC-3 in MP4, from a frame (ETSI TS 102 366, annexes E and F). */
import { BitReader } from '../../media-headers/bytes/bit-reader.ts';
import { u16 } from '../../media-headers/bytes/numbers.ts';

const syncWord = 0x0b77;
const samplesOfBlock = 256;
const rates = [48_000, 44_100, 32_000];

/** What a packet says of itself. */
export interface DolbyFrame {
  /** The content of `dac3` or `dec3`. */
  readonly configuration: Uint8Array;
  readonly sampleRate: number;
  /** Samples of one packet. */
  readonly samples: number;
}

/** Bits, high ones first. */
class BitWriter {
  readonly #bits: number[] = [];

  put(value: number, count: number): this {
    for (let bit = count - 1; bit >= 0; bit--) this.#bits.push((value >> bit) & 1);
    return this;
  }

  get bytes(): Uint8Array {
    const made = new Uint8Array(Math.ceil(this.#bits.length / 8));
    this.#bits.forEach(
      (bit, at) => (made[at >> 3] = (made[at >> 3] ?? 0) | (bit << (7 - (at & 7)))),
    );
    return made;
  }
}

/** `dac3` of a frame; `undefined` when it is not one. */
export function readAc3(packet: Uint8Array): DolbyFrame | undefined {
  if (packet.length < 8 || u16(packet, 0) !== syncWord) return undefined;
  const bits = new BitReader(packet.subarray(4));
  const rate = bits.bits(2);
  const sizeCode = bits.bits(6);
  const [version, mode, arrangement] = [bits.bits(5), bits.bits(3), bits.bits(3)];
  if ((arrangement & 1) !== 0 && arrangement !== 1) bits.skip(2);
  if ((arrangement & 4) !== 0) bits.skip(2);
  if (arrangement === 2) bits.skip(2);
  const made = new BitWriter().put(rate, 2).put(version, 5).put(mode, 3).put(arrangement, 3);
  made
    .put(bits.bit(), 1)
    .put(sizeCode >> 1, 5)
    .put(0, 5);
  const sampleRate = rates[rate];
  if (sampleRate === undefined || version > 10) return undefined;
  return { configuration: made.bytes, sampleRate, samples: 6 * samplesOfBlock };
}

interface Substream {
  readonly isDependent: boolean;
  readonly id: number;
  readonly length: number;
  readonly rateCode: number;
  readonly sampleRate: number;
  readonly blocks: number;
  readonly version: number;
  readonly arrangement: number;
  readonly low: number;
  readonly map: number;
}

/** `dec3` of a packet, which has a frame for each substream; `undefined` when it is not one. */
export function readEac3(packet: Uint8Array): DolbyFrame | undefined {
  const frames: Substream[] = [];
  for (let at = 0; at + 8 <= packet.length && frames.length < 64;) {
    const frame = readSubstream(packet.subarray(at));
    if (frame === undefined) break;
    frames.push(frame);
    at += frame.length;
  }
  const [first] = frames;
  if (first === undefined) return undefined;
  const main = frames.filter(({ isDependent, id }) => !isDependent && id === first.id);
  const blocks = main.reduce((sum, frame) => sum + frame.blocks, 0);
  const dependent = frames.filter(({ isDependent }) => isDependent);
  const bytes = frames.reduce((sum, { length }) => sum + length, 0);
  const kilobits = Math.round((bytes * 8 * first.sampleRate) / (blocks * samplesOfBlock) / 1000);
  const made = new BitWriter().put(Math.min(kilobits, 0x1fff), 13).put(0, 3);
  made.put(first.rateCode, 2).put(first.version, 5).put(0, 2).put(0, 3);
  made.put(first.arrangement, 3).put(first.low, 1).put(0, 3);
  const extra = new Set(dependent.map(({ id }) => id)).size;
  made.put(extra, 4);
  if (extra === 0) made.put(0, 1);
  else
    made.put(
      dependent.reduce((map, frame) => map | frame.map, 0),
      9,
    );
  return {
    configuration: made.bytes,
    sampleRate: first.sampleRate,
    samples: blocks * samplesOfBlock,
  };
}

function readSubstream(bytes: Uint8Array): Substream | undefined {
  if (u16(bytes, 0) !== syncWord) return undefined;
  const bits = new BitReader(bytes.subarray(2));
  const kind = bits.bits(2);
  const id = bits.bits(3);
  const length = (bits.bits(11) + 1) * 2;
  const rateCode = bits.bits(2);
  const second = bits.bits(2);
  const arrangement = bits.bits(3);
  const low = bits.bit();
  const version = bits.bits(5);
  if (version <= 10 || kind === 3) return undefined;
  const full = rates[rateCode === 3 ? second : rateCode] ?? 48_000;
  const blocks = rateCode === 3 ? 6 : ([1, 2, 3, 6][second] ?? 6);
  const isDependent = kind === 1;
  const map = isDependent ? readChannelMap(bits, arrangement) : 0;
  const sampleRate = rateCode === 3 ? full / 2 : full;
  return { isDependent, id, length, rateCode, sampleRate, blocks, version, arrangement, low, map };
}

/** The channels that a dependent substream adds, as `chan_loc` has them. */
function readChannelMap(bits: BitReader, arrangement: number): number {
  for (let program = arrangement === 0 ? 2 : 1; program > 0; program--) {
    bits.skip(5);
    if (bits.flag()) bits.skip(8);
  }
  return bits.flag() ? (bits.bits(16) >> 5) & 0x1f : 0;
}
