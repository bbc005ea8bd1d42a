import { u8 } from '../bytes/numbers.ts';
import type { StreamDraft } from '../stream-draft.ts';

/** The values in the header of a video codec. */
export type VideoFormat = Partial<
  Pick<
    StreamDraft,
    ('profile' | 'level' | 'width' | 'height' | 'frameRate' | 'bitDepth' | 'hdr') | 'isInterlaced'
  >
>;

/** The values in the header of an audio codec. */
export type AudioFormat = Partial<
  Pick<StreamDraft, 'codec' | 'profile' | 'channels' | 'sampleRate' | 'bitDepth' | 'bitrate'>
>;

/** HDR by the number of the transfer characteristics (ISO/IEC 23091-2). */
export function hdrByTransfer(transfer: number): StreamDraft['hdr'] {
  if (transfer === 16) return 'hdr10';
  if (transfer === 18) return 'hlg';
  return undefined;
}

/** Standard rates, to which a measured one is rounded. */
const rates = [
  23.976, 24, 25, 29.97, 30, 48, 50, 59.94, 60, 100, 119.88, 120, 12, 12.5, 14.985, 15, 5, 10,
];

/** A rate to three decimals; one within a thousandth of a standard rate becomes that. */
export function frameRate(measured: number, tolerance = 0.0004): number | undefined {
  if (!Number.isFinite(measured) || measured <= 0 || measured > 1000) return undefined;
  let best: number | undefined;
  for (const rate of rates) {
    const distance = Math.abs(measured / rate - 1);
    if (distance > tolerance) continue;
    if (best === undefined || distance < Math.abs(measured / best - 1)) best = rate;
  }
  return best ?? Math.round(measured * 1000) / 1000;
}

/** Width and height for display: pixels need not be square. */
export function shownSize(
  size: { readonly width: number; readonly height: number },
  aspect: { readonly across: number; readonly down: number },
): { readonly width: number; readonly height: number } {
  const { across, down } = aspect;
  const ratio = across / down;
  if (across <= 0 || down <= 0 || across === down || ratio > 10 || ratio < 0.1) return size;
  return { width: Math.round(size.width * ratio), height: size.height };
}

/** The profile in a Dolby Vision configuration (`dvcC`, `dvvC`, `dvwC`). */
export const dolbyVisionProfile = (record: Uint8Array | undefined): number | undefined =>
  record === undefined || record.length < 4 ? undefined : u8(record, 2) >> 1;
