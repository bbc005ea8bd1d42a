/** The jobs that look at media with ffmpeg at night. */
export const mediaJobTypes = ['loudness', 'stills', 'trickplay'] as const;

/** One of them, as a type of jobs. */
export type MediaJobType = (typeof mediaJobTypes)[number];
