/** The head of a key picture of VP9 (VP9 bitstream specification, 6.2). */
import { BitReader } from '../../media-headers/bytes/bit-reader.ts';

/** What `vpcC` needs. */
export interface Vp9Frame {
  readonly profile: number;
  readonly depth: number;
  /** The form of the colours: 1 is 4:2:0, 2 is 4:2:2, 3 is 4:4:4. */
  readonly chroma: number;
}

const syncCode = 0x498342;
const rgb = 7;

/** `undefined` when the packet is not a key picture. */
export function readVp9Frame(packet: Uint8Array): Vp9Frame | undefined {
  const bits = new BitReader(packet.subarray(0, 16));
  if (bits.bits(2) !== 2) return undefined;
  const profile = bits.bit() + bits.bit() * 2;
  if (profile === 3) bits.skip(1);
  const isRepeat = bits.flag();
  const isKey = bits.bit() === 0;
  bits.skip(2);
  if (isRepeat || !isKey || bits.bits(24) !== syncCode) return undefined;
  const depth = profile < 2 ? 8 : bits.flag() ? 12 : 10;
  if (bits.bits(3) === rgb) return { profile, depth, chroma: 3 };
  bits.skip(1);
  if (profile % 2 === 0) return { profile, depth, chroma: 1 };
  const [across, down] = [bits.bit(), bits.bit()];
  return { profile, depth, chroma: across === 0 ? 3 : down === 0 ? 2 : 1 };
}
