/** Pixels in memory. */
export interface Pixels {
  readonly width: number;
  readonly height: number;
  /** Four bytes a pixel, row by row: red, green, blue, alpha; colours are not multiplied by alpha. */
  readonly data: Uint8Array<ArrayBuffer>;
}

/** An orientation of EXIF (TIFF 6.0, tag 0x0112): 1 is upright, 5 to 8 swap width and height. */
export type Orientation = 1 | 2 | 3 | 4 | 5 | 6 | 7 | 8;

/** Whether the orientation swaps width and height. */
export const isTurned = (orientation: Orientation): boolean => orientation > 4;

/** Returns the pixels as they are shown. */
export function toUpright(pixels: Pixels, orientation: Orientation): Pixels {
  if (orientation === 1) return pixels;
  const { width: across, height: down } = pixels;
  const [width, height] = isTurned(orientation) ? [down, across] : [across, down];
  const from = new Uint32Array(pixels.data.buffer, pixels.data.byteOffset, across * down);
  const data = new Uint8Array(width * height * 4);
  const to = new Uint32Array(data.buffer);
  const place = places[orientation](across, down);
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) to[y * width + x] = from[place(x, y)] ?? 0;
  }
  return { width, height, data };
}

/** For each orientation: the source of the pixel that is shown at `x`, `y`. */
const places: Readonly<
  Record<Orientation, (across: number, down: number) => (x: number, y: number) => number>
> = {
  1: (across) => (x, y) => y * across + x,
  2: (across) => (x, y) => y * across + (across - 1 - x),
  3: (across, down) => (x, y) => (down - 1 - y) * across + (across - 1 - x),
  4: (across, down) => (x, y) => (down - 1 - y) * across + x,
  5: (across) => (x, y) => x * across + y,
  6: (across, down) => (x, y) => (down - 1 - x) * across + y,
  7: (across, down) => (x, y) => (down - 1 - x) * across + (across - 1 - y),
  8: (across) => (x, y) => x * across + (across - 1 - y),
};

/** Returns the pixels on white, for a format without alpha. */
export function onWhite(pixels: Pixels): Pixels {
  const data = new Uint8Array(pixels.data);
  for (let at = 0; at < data.length; at += 4) {
    const alpha = data[at + 3] ?? 255;
    if (alpha === 255) continue;
    for (let channel = at; channel < at + 3; channel++) {
      data[channel] = Math.round(((data[channel] ?? 0) * alpha + 255 * (255 - alpha)) / 255);
    }
    data[at + 3] = 255;
  }
  return { ...pixels, data };
}
