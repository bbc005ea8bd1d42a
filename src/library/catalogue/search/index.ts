export type { Search } from './search.ts';
export type { SharedProgress } from './search-progress.ts';
export { sharedProgress } from './search-progress-store.ts';
export { createReindexRunner } from './reindex-runner.ts';
export { createSearchUpkeep, type SearchUpkeep } from './search-upkeep.ts';
