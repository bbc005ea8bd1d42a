/** `avcC` and `hvcC` from the parameter sets of a stream (ISO/IEC 14496-15). */
import { readAvcSequence } from '../../media-headers/codecs/h264.ts';
import { readHevcSequence } from '../../media-headers/codecs/hevc.ts';
import { unescapeUnit } from '../../media-headers/codecs/nal-units.ts';
import { joined } from '../../media-headers/bytes/joined.ts';
import { numbers } from '../fmp4/boxes.ts';
import type { TrackFormat } from '../formats/track-format.ts';
import { avcFormat, hevcFormat } from '../formats/video-formats.ts';
import type { NalUnit, PictureCodec } from './units.ts';

/** The format of pictures; `undefined` without parameter sets. */
export function pictureFormat(
  bytes: Uint8Array,
  units: readonly NalUnit[],
  codec: PictureCodec,
): TrackFormat | undefined {
  const unit = (wanted: number): Uint8Array | undefined => {
    const found = units.find(({ type }) => type === wanted);
    return found && bytes.subarray(found.from, found.to);
  };
  return codec === 'h264' ? avc(unit(7), unit(8)) : hevc(unit(32), unit(33), unit(34));
}

const withLength = (unit: Uint8Array): Uint8Array => joined([numbers(2, unit.length), unit]);

function avc(sequence?: Uint8Array, picture?: Uint8Array): TrackFormat | undefined {
  if (sequence === undefined || picture === undefined) return undefined;
  const { width = 0, height = 0 } = readAvcSequence(sequence);
  const head = Uint8Array.of(1, ...sequence.subarray(1, 4), 0xff, 0xe1);
  const setup = joined([head, withLength(sequence), Uint8Array.of(1), withLength(picture)]);
  return avcFormat(setup, { width, height });
}

const profileBytes = 12;

function hevc(
  video?: Uint8Array,
  sequence?: Uint8Array,
  picture?: Uint8Array,
): TrackFormat | undefined {
  if (video === undefined || sequence === undefined || picture === undefined) return undefined;
  const { width = 0, height = 0, bitDepth = 8 } = readHevcSequence(sequence);
  const plain = unescapeUnit(sequence);
  const profile = plain.subarray(3, 3 + profileBytes);
  const layers = (((plain[2] ?? 0) >> 1) & 7) + 1;
  const depth = 0xf8 | (bitDepth - 8);
  const tail = Uint8Array.of(0xf0, 0, 0xfc, 0xfd, depth, depth, 0, 0, (layers << 3) | 7, 3);
  const sets = [video, sequence, picture].map((unit, at) =>
    joined([Uint8Array.of(0x80 | (32 + at), 0, 1), withLength(unit)]),
  );
  return hevcFormat(joined([Uint8Array.of(1), profile, tail, ...sets]), { width, height });
}
