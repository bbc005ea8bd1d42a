/** MPEG-4 video as in DivX and Xvid: the header of the sequence. */
import { indexOfBytes } from '../bytes/numbers.ts';
import type { VideoFormat } from './video-format.ts';

/** The profile and level after the start code of a sequence, if there is one. */
export function readMpeg4Profile(bytes: Uint8Array): VideoFormat {
  const at = indexOfBytes(bytes, [0, 0, 1, 0xb0]);
  const code = at < 0 ? undefined : bytes[at + 4];
  if (code === undefined) return {};
  const level = code & 15;
  if (code >> 4 === 0 && level > 0) return { profile: 'Simple', level: String(level & 7) };
  if (code >> 4 === 15 && level < 8) return { profile: 'Advanced Simple', level: String(level) };
  return {};
}
