import watcher from '@parcel/watcher';
import type { WatchTree } from './folder-watches.ts';

/** Watches a tree with the means of the system (inotify, FSEvents). */
export const watchTree: WatchTree = (folder, listener) => watcher.subscribe(folder, listener);
