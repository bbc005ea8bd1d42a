/** Sample entries (ISO/IEC 14496-12, 12.1 and 12.2). */
import { box, letters, numbers, zeros } from '../fmp4/boxes.ts';
import type { SoundShape, VideoShape } from './track-format.ts';

const dotsPerInch = 72 * 0x10000;

/** An entry of a picture track with the boxes of its codec. */
export function videoEntry(
  name: string,
  { width, height, extras = [] }: VideoShape,
  ...boxes: readonly Uint8Array[]
): Uint8Array {
  return box(
    name,
    zeros(6),
    numbers(2, 1),
    zeros(16),
    numbers(2, width, height),
    numbers(4, dotsPerInch, dotsPerInch, 0),
    numbers(2, 1),
    zeros(32),
    numbers(2, 24, 0xffff),
    ...boxes,
    ...extras,
  );
}

const highestRate = 0xffff;

/** An entry of a sound track with the boxes of its codec. */
export function soundEntry(
  name: string,
  { channels, sampleRate, bitDepth = 16 }: SoundShape,
  ...boxes: readonly Uint8Array[]
): Uint8Array {
  // A rate above 16 bits is only in the codec's own box.
  const rate = sampleRate > highestRate ? 0 : Math.round(sampleRate);
  return box(
    name,
    zeros(6),
    numbers(2, 1),
    zeros(8),
    numbers(2, channels, bitDepth, 0, 0, rate, 0),
    ...boxes,
  );
}

/** `esds`: the description of an MPEG-4 stream (ISO/IEC 14496-1, 7.2.6). */
export function streamDescription(
  objectType: number,
  configuration: Uint8Array | undefined,
): Uint8Array {
  const specific = configuration === undefined ? [] : [descriptor(5, configuration)];
  const decoder = descriptor(4, numbers(1, objectType, 0x15, 0, 0, 0), zeros(8), ...specific);
  const stream = descriptor(3, numbers(2, 1), zeros(1), decoder, descriptor(6, numbers(1, 2)));
  return box('esds', zeros(4), stream);
}

function descriptor(tag: number, ...content: readonly Uint8Array[]): Uint8Array {
  const body = content.reduce((sum, { length }) => sum + length, 0);
  const made = new Uint8Array(5 + body);
  made.set([tag, 0x80 | ((body >> 21) & 127), 0x80 | ((body >> 14) & 127)]);
  made.set([0x80 | ((body >> 7) & 127), body & 127], 3);
  let at = 5;
  for (const part of content) {
    made.set(part, at);
    at += part.length;
  }
  return made;
}

/** The colours of pictures by number (ISO/IEC 23091-2). */
export interface Colours {
  readonly primaries: number;
  readonly transfer: number;
  readonly matrix: number;
  readonly isFullRange: boolean;
}

/** `colr`. */
export function colourBox({ primaries, transfer, matrix, isFullRange }: Colours): Uint8Array {
  return box(
    'colr',
    letters('nclx'),
    numbers(2, primaries, transfer, matrix),
    numbers(1, isFullRange ? 0x80 : 0),
  );
}

/** `pasp`: the form of a pixel. */
export const pixelBox = (across: number, down: number): Uint8Array =>
  box('pasp', numbers(4, across, down));
