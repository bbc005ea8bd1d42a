export { createDisk } from './disk.ts';
export type { ChangedPaths, Disk, DiskOptions, OpenedFile, ReadRange } from './disk.ts';
export { encodePlainPath, isWithin, parsePath, toPlainPath } from './disk-path.ts';
export type { WatchTree } from './folder-watches.ts';
export { watchTree } from './watch-tree.ts';
