export { createMediaJobs, type MediaJobs, type MediaJobsParts } from './media-jobs.ts';
export { createPeopleFirst, type PeopleFirst } from './people-first.ts';
export { createStills, type OpenStill } from './stills.ts';
export { createStillsSoon, type StillsSoon } from './stills-soon.ts';
