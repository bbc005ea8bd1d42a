/** The colour types of PNG (ISO/IEC 15948, 11.2.2), and rows of them as four bytes a pixel. */

/** How the pixels of a PNG are stored. */
export interface PngLayout {
  readonly width: number;
  readonly height: number;
  /** Bits a sample: 1, 2, 4, 8 or 16. */
  readonly depth: number;
  /** 0 grey, 2 RGB, 3 palette, 4 grey with alpha, 6 RGB with alpha. */
  readonly colour: number;
  /** The chunk PLTE. */
  readonly palette: Uint8Array | null;
  /** The chunk tRNS: alpha of the palette, or the transparent colour. */
  readonly transparency: Uint8Array | null;
}

const samples = new Map([
  [0, 1],
  [2, 3],
  [3, 1],
  [4, 2],
  [6, 4],
]);

const depths = new Map([
  [0, [1, 2, 4, 8, 16]],
  [2, [8, 16]],
  [3, [1, 2, 4, 8]],
  [4, [8, 16]],
  [6, [8, 16]],
]);

/** Whether the colour type has this depth. */
export const isLayout = (colour: number, depth: number): boolean =>
  depths.get(colour)?.includes(depth) === true;

export const bitsPerPixel = ({ colour, depth }: Pick<PngLayout, 'colour' | 'depth'>): number =>
  (samples.get(colour) ?? 1) * depth;

/** Converts a row of `width` pixels into four bytes a pixel. */
export type Converter = (row: Uint8Array, out: Uint8Array) => void;

/** Returns the converter for a layout. Of samples with 16 bits it takes the upper 8. */
export function toColours(layout: PngLayout, width: number): Converter {
  const { colour, depth, palette, transparency } = layout;
  if (colour === 3) return palettes(width, depth, palette, transparency);
  if (colour === 0 && depth < 8) return smallGreys(width, depth, transparency);
  return wholeSamples(layout, width);
}

/** The sample at `x`, for depths of 1, 2, 4 and 8. */
function sampleAt(row: Uint8Array, x: number, depth: number): number {
  const bit = x * depth;
  const shift = 8 - depth - (bit & 7);
  return ((row[bit >> 3] ?? 0) >> shift) & ((1 << depth) - 1);
}

function palettes(
  width: number,
  depth: number,
  palette: Uint8Array | null,
  alphas: Uint8Array | null,
): Converter {
  return (row, out) => {
    for (let x = 0, to = 0; x < width; x++, to += 4) {
      const index = sampleAt(row, x, depth);
      out[to] = palette?.[index * 3] ?? 0;
      out[to + 1] = palette?.[index * 3 + 1] ?? 0;
      out[to + 2] = palette?.[index * 3 + 2] ?? 0;
      out[to + 3] = alphas?.[index] ?? 255;
    }
  };
}

function smallGreys(width: number, depth: number, transparency: Uint8Array | null): Converter {
  const factor = 255 / ((1 << depth) - 1);
  const clear = transparency === null ? -1 : (transparency[1] ?? 0);
  return (row, out) => {
    for (let x = 0, to = 0; x < width; x++, to += 4) {
      const sample = sampleAt(row, x, depth);
      out.fill(sample * factor, to, to + 3);
      out[to + 3] = sample === clear ? 0 : 255;
    }
  };
}

/** Samples of one or two bytes. */
function wholeSamples({ colour, depth, transparency }: PngLayout, width: number): Converter {
  const bytes = depth >> 3;
  const count = samples.get(colour) ?? 1;
  const hasAlpha = colour === 4 || colour === 6;
  const colours = hasAlpha ? count - 1 : count;
  const isClear = transparency === null || hasAlpha ? null : isColour(transparency, count, bytes);
  return (row, out) => {
    for (let x = 0, at = 0, to = 0; x < width; x++, at += count * bytes, to += 4) {
      out[to] = row[at] ?? 0;
      out[to + 1] = row[colours === 1 ? at : at + bytes] ?? 0;
      out[to + 2] = row[colours === 1 ? at : at + 2 * bytes] ?? 0;
      out[to + 3] = hasAlpha ? (row[at + colours * bytes] ?? 0) : isClear?.(row, at) ? 0 : 255;
    }
  };
}

/** Whether a pixel is the transparent colour, which tRNS has with two bytes a sample. */
function isColour(transparency: Uint8Array, count: number, bytes: number) {
  return (row: Uint8Array, at: number): boolean => {
    for (let sample = 0; sample < count; sample++) {
      for (let byte = 0; byte < bytes; byte++) {
        const stored = transparency[sample * 2 + (2 - bytes) + byte];
        if (row[at + sample * bytes + byte] !== stored) return false;
      }
    }
    return true;
  };
}
