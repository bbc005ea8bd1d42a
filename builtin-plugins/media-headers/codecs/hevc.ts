/** H.265: the sequence parameter set, and its box. */
import { BitReader } from '../bytes/bit-reader.ts';
import { indexOfBytes, slice, u16, u8 } from '../bytes/numbers.ts';
import { malformed } from '../bytes/probe-error.ts';
import { unescapeUnit } from './nal-units.ts';
import { frameRate, hdrByTransfer, shownSize, type VideoFormat } from './video-format.ts';
import { readUsability } from './video-usability.ts';

const profiles = new Map([
  [1, 'Main'],
  [2, 'Main 10'],
  [3, 'Main Still Picture'],
  [4, 'Rext'],
  [9, 'SCC'],
]);

const sequenceUnit = 33;

/** `hvcC`, in MP4 and Matroska. */
export function readHevcConfiguration(bytes: Uint8Array): VideoFormat {
  const format: VideoFormat = {
    profile: profiles.get(u8(bytes, 1) & 0x1f),
    level: levelName(u8(bytes, 12)),
    bitDepth: (u8(bytes, 17) & 7) + 8,
  };
  const sequence = findSequence(bytes);
  return sequence === undefined ? format : { ...format, ...readHevcSequence(sequence) };
}

function findSequence(bytes: Uint8Array): Uint8Array | undefined {
  let at = 23;
  for (let array = u8(bytes, 22); array > 0; array--) {
    const kind = u8(bytes, at) & 0x3f;
    const count = u16(bytes, at + 1);
    at += 3;
    for (let unit = 0; unit < count; unit++) {
      const length = u16(bytes, at);
      if (kind === sequenceUnit) return slice(bytes, at + 2, length);
      at += 2 + length;
    }
  }
  return undefined;
}

/** The unit of type 33, including its header of two bytes. */
export function readHevcSequence(unit: Uint8Array): VideoFormat {
  const bits = new BitReader(unescapeUnit(unit));
  bits.skip(16 + 4);
  const layers = bits.bits(3);
  bits.skip(1);
  const general = readProfile(bits, layers);
  bits.ue(); // id
  const chroma = bits.ue();
  if (chroma === 3) bits.skip(1);
  const width = bits.ue();
  const height = bits.ue();
  const crop = bits.flag() ? [bits.ue(), bits.ue(), bits.ue(), bits.ue()] : [0, 0, 0, 0];
  const [left = 0, right = 0, top = 0, bottom = 0] = crop;
  const size = {
    width: width - (left + right) * (chroma === 1 || chroma === 2 ? 2 : 1),
    height: height - (top + bottom) * (chroma === 1 ? 2 : 1),
  };
  const bitDepth = bits.ue() + 8;
  const known = { ...general, ...size, bitDepth };
  return { ...known, ...readRest(bits, layers, size) };
}

/** The fields after the size are optional; with invalid ones the size still counts. */
function readRest(
  bits: BitReader,
  layers: number,
  size: { readonly width: number; readonly height: number },
): VideoFormat {
  try {
    bits.ue();
    const orderBits = bits.ue() + 4;
    const from = bits.flag() ? 0 : layers;
    for (let layer = from; layer <= layers; layer++) {
      bits.ue();
      bits.ue();
      bits.ue();
    }
    for (let sizes = 0; sizes < 6; sizes++) bits.ue();
    if (bits.flag() && bits.flag()) skipScalingLists(bits);
    bits.skip(2);
    if (bits.flag()) {
      bits.skip(8);
      bits.ue();
      bits.ue();
      bits.skip(1);
    }
    skipReferenceSets(bits);
    if (bits.flag()) {
      for (let left = Math.min(bits.ue(), 32); left > 0; left--) bits.skip(orderBits + 1);
    }
    bits.skip(2);
    return bits.flag() ? readVui(bits, size) : {};
  } catch {
    return {};
  }
}

function readVui(
  bits: BitReader,
  size: { readonly width: number; readonly height: number },
): VideoFormat {
  const usability = readUsability(bits);
  const format = { ...shownSize(size, usability), hdr: hdrByTransfer(usability.transfer) };
  bits.skip(3);
  if (bits.flag()) {
    for (let side = 0; side < 4; side++) bits.ue();
  }
  if (!bits.flag()) return format;
  const ticks = bits.bits(32);
  const scale = bits.bits(32);
  return { ...format, frameRate: ticks > 0 ? frameRate(scale / ticks) : undefined };
}

function readProfile(bits: BitReader, layers: number): VideoFormat {
  bits.skip(3);
  const profile = bits.bits(5);
  bits.skip(32 + 48);
  const level = bits.bits(8);
  const present: (readonly [boolean, boolean])[] = [];
  for (let layer = 0; layer < layers; layer++) present.push([bits.flag(), bits.flag()]);
  if (layers > 0) bits.skip((8 - layers) * 2);
  for (const [hasProfile, hasLevel] of present) {
    bits.skip((hasProfile ? 88 : 0) + (hasLevel ? 8 : 0));
  }
  return { profile: profiles.get(profile), level: levelName(level) };
}

function skipScalingLists(bits: BitReader): void {
  for (let size = 0; size < 4; size++) {
    for (let matrix = 0; matrix < 6; matrix += size === 3 ? 3 : 1) {
      if (!bits.flag()) {
        bits.ue();
        continue;
      }
      if (size > 1) bits.se();
      for (let left = Math.min(64, 1 << (4 + (size << 1))); left > 0; left--) bits.se();
    }
  }
}

function skipReferenceSets(bits: BitReader): void {
  const sets = bits.ue();
  if (sets > 64) throw malformed('A video header has too many sets of reference pictures.');
  const sizes: number[] = [];
  for (let index = 0; index < sets; index++) {
    const isPredicted = index > 0 && bits.flag();
    sizes.push(isPredicted ? skipPredictedSet(bits, sizes.at(-1) ?? 0) : skipPlainSet(bits));
  }
}

function skipPredictedSet(bits: BitReader, previous: number): number {
  bits.skip(1);
  bits.ue();
  let size = 0;
  for (let picture = 0; picture <= previous; picture++) {
    const isUsed = bits.flag();
    if (isUsed || bits.flag()) size++;
  }
  return size;
}

function skipPlainSet(bits: BitReader): number {
  const size = bits.ue() + bits.ue();
  if (size > 32) throw malformed('A video header has too many reference pictures.');
  for (let picture = 0; picture < size; picture++) {
    bits.ue();
    bits.skip(1);
  }
  return size;
}

/** Whether the frames have dynamic HDR10+ metadata (SMPTE ST 2094-40 in an ITU-T T.35 message). */
export function hasDynamicMetadata(bytes: Uint8Array): boolean {
  return indexOfBytes(bytes, [0xb5, 0x00, 0x3c, 0x00, 0x01, 0x04]) >= 0;
}

function levelName(level: number): string {
  return level % 30 === 0 ? String(level / 30) : (level / 30).toFixed(1);
}
