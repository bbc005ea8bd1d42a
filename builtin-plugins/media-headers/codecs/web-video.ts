/** AV1 and VP9: their boxes in MP4 and Matroska. */
import { slice, u8 } from '../bytes/numbers.ts';
import { hdrByTransfer, type VideoFormat } from './video-format.ts';

const av1Profiles = ['Main', 'High', 'Professional'];

/** `av1C`. */
export function readAv1Configuration(bytes: Uint8Array): VideoFormat {
  const level = u8(bytes, 1) & 0x1f;
  const flags = u8(bytes, 2);
  const profile = u8(bytes, 1) >> 5;
  const isHigh = (flags & 0x40) !== 0;
  const isTwelve = (flags & 0x20) !== 0;
  return {
    profile: av1Profiles[profile],
    level: `${2 + (level >> 2)}.${level & 3}`,
    bitDepth: isHigh ? (profile === 2 && isTwelve ? 12 : 10) : 8,
  };
}

/** `vpcC`, including its version and flags. */
export function readVp9Configuration(bytes: Uint8Array): VideoFormat {
  const body = slice(bytes, 4, 6);
  const level = u8(body, 1);
  return {
    profile: `Profile ${u8(body, 0)}`,
    level: level === 0 ? undefined : (level / 10).toFixed(1),
    bitDepth: u8(body, 2) >> 4,
    hdr: hdrByTransfer(u8(body, 4)),
  };
}

/** VP9 in Matroska: triples of a number, a length and a value. */
export function readVp9Features(bytes: Uint8Array): VideoFormat {
  const format: { -readonly [Key in keyof VideoFormat]: VideoFormat[Key] } = {};
  for (let at = 0; at + 2 < bytes.length; at += 2 + (bytes[at + 1] ?? 0)) {
    const value = u8(bytes, at + 2);
    if (bytes[at] === 1) format.profile = `Profile ${value}`;
    if (bytes[at] === 2) format.level = (value / 10).toFixed(1);
    if (bytes[at] === 3) format.bitDepth = value;
  }
  return format;
}
