export type {
  ChangedPaths,
  Disk,
  DiskReads,
  ListFolders,
  OpenedFile,
  ReadRange,
  WaitForChanges,
} from './disk.ts';
export { encodePlainPath, isWithin, parsePath, toPlainPath } from './disk-path.ts';
export { fingerprintOf, samplesOf } from './fingerprint.ts';
export { packRanges } from './range-pack.ts';
export { createDisk, type DiskOptions } from './local-disk.ts';
export type { WatchTree } from './folder-watches.ts';
export { watchTree } from './watch-tree.ts';
