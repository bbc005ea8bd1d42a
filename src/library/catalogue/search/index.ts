export type { Search } from './search.ts';
export { createSearchUpkeep, type SearchUpkeep } from './search-upkeep.ts';
