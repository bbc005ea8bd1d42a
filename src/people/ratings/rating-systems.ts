import { european } from './european.ts';
import { furtherSystems } from './further-systems.ts';
import { northAmerican } from './north-american.ts';
import type { RatingSystem } from './rating-system.ts';

/** All rating systems of limits and certifications. */
export const ratingSystems: readonly RatingSystem[] = [
  ...northAmerican,
  ...european,
  ...furtherSystems,
];
