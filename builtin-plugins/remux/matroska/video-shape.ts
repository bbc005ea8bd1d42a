/** The size and the colours of pictures in Matroska (RFC 9559, 5.1.4.1.28). */
import type { Element } from '../../media-headers/matroska/elements.ts';
import { ids } from '../../media-headers/matroska/ids.ts';
import { colourBox, pixelBox } from '../formats/entries.ts';
import type { VideoShape } from '../formats/track-format.ts';

const unspecified = 2;
const fullRange = 2;

/** Reads the settings of a picture track. */
export function shapeOf(video: Element | undefined): VideoShape {
  const width = video?.uint(ids.pixelWidth) ?? 0;
  const height = video?.uint(ids.pixelHeight) ?? 0;
  const colour = video?.find(ids.colour);
  const transfer = colour?.uint(ids.transfer);
  return {
    width,
    height,
    transfer,
    extras: [
      ...pixelsOf(video, width, height),
      ...(colour === undefined ? [] : [coloursOf(colour)]),
    ],
  };
}

function coloursOf(colour: Element): Uint8Array {
  const number = (id: number): number => Math.min(0xffff, colour.uint(id) ?? unspecified);
  return colourBox({
    primaries: number(ids.primaries),
    transfer: number(ids.transfer),
    matrix: number(ids.matrix),
    isFullRange: colour.uint(ids.range) === fullRange,
  });
}

/** Pixels that are not square, by the size at which the pictures are shown. */
function pixelsOf(
  video: Element | undefined,
  width: number,
  height: number,
): readonly Uint8Array[] {
  const across = (video?.uint(ids.displayWidth) ?? width) * height;
  const down = (video?.uint(ids.displayHeight) ?? height) * width;
  if (across === down || across <= 0 || down <= 0) return [];
  const divisor = greatestDivisor(across, down);
  const [wide, high] = [across / divisor, down / divisor];
  return wide > 0xffffffff || high > 0xffffffff ? [] : [pixelBox(wide, high)];
}

function greatestDivisor(one: number, other: number): number {
  let [larger, smaller] = [one, other];
  for (let turn = 0; smaller > 0 && turn < 200; turn++) {
    [larger, smaller] = [smaller, larger % smaller];
  }
  return larger;
}
