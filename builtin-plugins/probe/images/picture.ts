/** Common parts of all pictures: one still stream, and the camera's data. */
import type { MediaPlace } from '../../../plugin-api/index.ts';
import type { FoundMedia, TagsDraft } from '../media.ts';

export interface PictureFacts {
  readonly container: string;
  readonly codec?: string | undefined;
  readonly width: number;
  readonly height: number;
  readonly bitDepth?: number | undefined;
  /** Clockwise rotation in degrees for display. */
  readonly rotation?: number | undefined;
  readonly tags?: TagsDraft | undefined;
  readonly motion?: MediaPlace | undefined;
}

export function pictureMedia(facts: PictureFacts): FoundMedia {
  const { container, width, height, rotation = 0, tags, motion } = facts;
  const isTurned = rotation % 180 !== 0;
  return {
    container,
    streams: [
      {
        kind: 'image',
        codec: facts.codec ?? container,
        width: isTurned ? height : width,
        height: isTurned ? width : height,
        rotation: rotation === 0 ? undefined : rotation,
        bitDepth: facts.bitDepth,
      },
    ],
    tags,
    motion,
  };
}
