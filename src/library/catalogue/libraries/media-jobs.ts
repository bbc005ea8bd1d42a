/** One of them, as a type of jobs. */
import type { mediaJobTypes } from '../../../contract/resources/library/libraries.ts';
export type MediaJobType = (typeof mediaJobTypes)[number];
