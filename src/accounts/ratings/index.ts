export { gatherCertifications } from './gathered.ts';
export { longestCertification } from './reading.ts';
export { admits, isNoHigher } from './admits.ts';
export { limitText, parseRatingLimit } from './rating-limit.ts';
export type { RatingSystem, Rung } from './rating-system.ts';
export { ratingSystems } from './rating-systems.ts';
