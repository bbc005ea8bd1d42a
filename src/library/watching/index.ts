export { createWatching, type Watching, type WatchingParts } from './watching.ts';
