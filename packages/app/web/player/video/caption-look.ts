/** How plain subtitles look, as the profile prefers. */

/** How large subtitles are: 1 = usual. */
export const captionSizes = [0.7, 1, 1.3, 1.7] as const;
export const captionColours = ['white', 'yellow', 'green', 'blue'] as const;
export const captionPositions = ['bottom', 'raised', 'top'] as const;

/** The look of subtitles. */
export interface CaptionLook {
  readonly size: number;
  readonly colour: (typeof captionColours)[number];
  readonly position: (typeof captionPositions)[number];
}

/** The names of the preferences that keep it. */
export const lookKeys: Readonly<Record<keyof CaptionLook, string>> = {
  size: 'vitrine.web:captionSize',
  colour: 'vitrine.web:captionColour',
  position: 'vitrine.web:captionPosition',
};

/** The look that preferences name; what cannot be read is as usual. */
export function captionLookOf(preferences: Readonly<Record<string, unknown>>): CaptionLook {
  const size = preferences[lookKeys.size];
  const [colour, position] = [preferences[lookKeys.colour], preferences[lookKeys.position]];
  return {
    size: typeof size === 'number' && size > 0 && size < 4 ? size : 1,
    colour: captionColours.find((one) => one === colour) ?? 'white',
    position: captionPositions.find((one) => one === position) ?? 'bottom',
  };
}
