export type { Admission, RatingLimit } from './admission.ts';
export { mergeCertifications } from './merge-certifications.ts';
export { longestCertification } from './read-certification.ts';
export { allows, isAtMost } from './allows.ts';
export { limitText, parseRatingLimit, ratingIn } from './rating-limit.ts';
export type { RatingSystem, RatingLevel } from './rating-system.ts';
export { ratingSystems } from './rating-systems.ts';
