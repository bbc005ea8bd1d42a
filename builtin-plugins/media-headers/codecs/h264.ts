/** H.264: the sequence parameter set, and its box. */
import { BitReader } from '../bytes/bit-reader.ts';
import { slice, u16, u8 } from '../bytes/numbers.ts';
import { unescapeUnit } from './nal-units.ts';
import { frameRate, hdrByTransfer, shownSize, type VideoFormat } from './video-format.ts';
import { readUsability } from './video-usability.ts';

const profiles = new Map([
  [66, 'Baseline'],
  [77, 'Main'],
  [88, 'Extended'],
  [100, 'High'],
  [110, 'High 10'],
  [122, 'High 4:2:2'],
  [244, 'High 4:4:4 Predictive'],
  [44, 'CAVLC 4:4:4'],
  [118, 'Multiview High'],
  [128, 'Stereo High'],
]);

/** Profiles whose header has the colour format. */
const withChroma = new Set([100, 110, 122, 244, 44, 83, 86, 118, 128, 138, 139, 134, 135]);

/** `avcC`, in MP4 and Matroska. */
export function readAvcConfiguration(bytes: Uint8Array): VideoFormat {
  const named = {
    profile: profileName(u8(bytes, 1), u8(bytes, 2)),
    level: levelName(u8(bytes, 3)),
  };
  if ((u8(bytes, 5) & 0x1f) === 0) return named;
  return { ...named, ...readAvcSequence(slice(bytes, 8, u16(bytes, 6))) };
}

/** The unit of type 7, including its header of one byte. */
export function readAvcSequence(unit: Uint8Array): VideoFormat {
  const bits = new BitReader(unescapeUnit(unit));
  bits.skip(8);
  const profile = bits.bits(8);
  const constraints = bits.bits(8);
  const level = bits.bits(8);
  bits.ue(); // id
  const chroma = withChroma.has(profile) ? readChroma(bits) : { format: 1, bitDepth: 8 };
  bits.ue(); // frame numbers
  skipOrderCount(bits);
  bits.ue(); // reference frames
  bits.skip(1);
  const across = bits.ue() + 1;
  const down = bits.ue() + 1;
  const isProgressive = bits.flag();
  if (!isProgressive) bits.skip(1);
  bits.skip(1);
  const crop = bits.flag() ? [bits.ue(), bits.ue(), bits.ue(), bits.ue()] : [0, 0, 0, 0];
  const [left = 0, right = 0, top = 0, bottom = 0] = crop;
  const unitX = chroma.format === 1 || chroma.format === 2 ? 2 : 1;
  const unitY = (chroma.format === 1 ? 2 : 1) * (isProgressive ? 1 : 2);
  const size = {
    width: across * 16 - (left + right) * unitX,
    height: down * 16 * (isProgressive ? 1 : 2) - (top + bottom) * unitY,
  };
  return {
    profile: profileName(profile, constraints),
    level: levelName(level),
    bitDepth: chroma.bitDepth,
    isInterlaced: !isProgressive || undefined,
    ...(bits.flag() ? readVui(bits, size) : size),
  };
}

function readVui(
  bits: BitReader,
  size: { readonly width: number; readonly height: number },
): VideoFormat {
  const usability = readUsability(bits);
  const format = { ...shownSize(size, usability), hdr: hdrByTransfer(usability.transfer) };
  if (!bits.flag()) return format;
  const ticks = bits.bits(32);
  const scale = bits.bits(32);
  return { ...format, frameRate: ticks > 0 ? frameRate(scale / ticks / 2) : undefined };
}

function readChroma(bits: BitReader): { readonly format: number; readonly bitDepth: number } {
  const format = bits.ue();
  if (format === 3) bits.skip(1);
  const bitDepth = bits.ue() + 8;
  bits.ue();
  bits.skip(1);
  if (bits.flag()) {
    for (let list = 0; list < (format === 3 ? 12 : 8); list++) {
      if (bits.flag()) skipScalingList(bits, list < 6 ? 16 : 64);
    }
  }
  return { format, bitDepth };
}

function skipScalingList(bits: BitReader, length: number): void {
  let last = 8;
  let next = 8;
  for (let at = 0; at < length; at++) {
    if (next !== 0) next = (last + bits.se() + 256) % 256;
    if (next !== 0) last = next;
  }
}

function skipOrderCount(bits: BitReader): void {
  const kind = bits.ue();
  if (kind === 0) bits.ue();
  if (kind !== 1) return;
  bits.skip(1);
  bits.se();
  bits.se();
  for (let left = Math.min(bits.ue(), 255); left > 0; left--) bits.se();
}

function profileName(profile: number, constraints: number): string | undefined {
  if (profile === 66 && (constraints & 0x40) !== 0) return 'Constrained Baseline';
  const isIntra = (constraints & 0x10) !== 0;
  if (isIntra && profile === 110) return 'High 10 Intra';
  if (isIntra && profile === 122) return 'High 4:2:2 Intra';
  return profiles.get(profile);
}

function levelName(level: number): string {
  return level % 10 === 0 ? String(level / 10) : (level / 10).toFixed(1);
}
