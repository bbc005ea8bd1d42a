export type { Search } from './search.ts';
export { createReindexRunner } from './reindex-runner.ts';
export { createSearchUpkeep, type SearchUpkeep } from './search-upkeep.ts';
