/** MPEG-1 and MPEG-2 video: the sequence header. */
import { indexOfBytes, u16, u24, u8 } from '../bytes/numbers.ts';
import { frameRate, type VideoFormat } from './video-format.ts';

const rates = [0, 24000 / 1001, 24, 25, 30000 / 1001, 30, 50, 60000 / 1001, 60];
const profiles = new Map([
  [1, 'High'],
  [2, 'Spatially Scalable'],
  [3, 'SNR Scalable'],
  [4, 'Main'],
  [5, 'Simple'],
]);
const levels = new Map([
  [4, 'High'],
  [6, 'High 1440'],
  [8, 'Main'],
  [10, 'Low'],
]);

/** The first sequence header in the bytes, with the extension that makes it MPEG-2. */
export function readMpegVideo(
  bytes: Uint8Array,
): (VideoFormat & { readonly codec: 'mpeg1video' | 'mpeg2video' }) | undefined {
  const at = indexOfBytes(bytes, [0, 0, 1, 0xb3]);
  if (at < 0 || at + 12 > bytes.length) return undefined;
  const size = u24(bytes, at + 4);
  const [width, height] = [size >> 12, size & 0xfff];
  const aspect = u8(bytes, at + 7) >> 4;
  const rate = frameRate(rates[u8(bytes, at + 7) & 15] ?? 0);
  const extension = indexOfBytes(bytes, [0, 0, 1, 0xb5], at);
  const isSecond = extension >= 0 && extension < at + 160 && u8(bytes, extension + 4) >> 4 === 1;
  if (!isSecond) return { codec: 'mpeg1video', width, height, frameRate: rate };
  const numbers = u16(bytes, extension + 4);
  return {
    codec: 'mpeg2video',
    profile: profiles.get((numbers >> 8) & 7),
    level: levels.get((numbers >> 4) & 15),
    width: shownWidth(width, height, aspect),
    height,
    frameRate: rate,
    bitDepth: 8,
    isInterlaced: ((numbers >> 3) & 1) === 0 || undefined,
  };
}

/** MPEG-2 has the aspect ratio of the picture, not of a pixel. */
function shownWidth(width: number, height: number, aspect: number): number {
  if (aspect === 2) return Math.round((height * 4) / 3);
  if (aspect === 3) return Math.round((height * 16) / 9);
  return width;
}
