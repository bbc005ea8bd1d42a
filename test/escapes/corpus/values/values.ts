import { archives } from './archives.ts';
import type { ValueClass } from '../attempt.ts';
import { deltas } from './deltas.ts';
import { frames, guestFrames, hostFrames } from './frames.ts';
import { manifests } from './manifests.ts';
import { piecesOfInterface } from './pieces-of-interface.ts';
import { sources } from './sources.ts';

/** Every class of values against the walls that judge them. */
export const valueClasses: readonly ValueClass[] = [
  frames,
  guestFrames,
  hostFrames,
  deltas,
  piecesOfInterface,
  manifests,
  archives,
  sources,
];
