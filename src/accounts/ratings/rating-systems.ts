import { european } from './european.ts';
import { furtherSystems } from './further-systems.ts';
import { northAmerican } from './north-american.ts';
import type { RatingSystem } from './rating-system.ts';

/** Every rating system that limits and certifications may be of. */
export const ratingSystems: readonly RatingSystem[] = [
  ...northAmerican,
  ...european,
  ...furtherSystems,
];
