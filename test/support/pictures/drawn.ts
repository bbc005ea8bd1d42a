/** The picture that the made files show: four areas, so that any turn and mirror can be seen. */

/** Red, green, blue and alpha, 0 to 255. */
export type Colour = readonly [red: number, green: number, blue: number, alpha: number];

/** Gives the colour of each pixel. */
export type Drawing = (x: number, y: number) => Colour;

const areas: readonly Colour[] = [
  [255, 0, 0, 255],
  [0, 255, 0, 255],
  [0, 0, 255, 255],
  [255, 255, 255, 255],
];

/** Red and green above, blue and white below. */
export const fourAreas =
  (width: number, height: number): Drawing =>
  (x, y) =>
    areas[(y * 2 < height ? 0 : 2) + (x * 2 < width ? 0 : 1)] ?? [0, 0, 0, 255];

/** Black above, white below; for formats without colours. */
export const blackAndWhite =
  (height: number): Drawing =>
  (_x, y) => {
    const grey = y * 2 < height ? 0 : 255;
    return [grey, grey, grey, 255];
  };
