export type { ByteRange } from './byte-blocks.ts';
export { createDiskRoots, type DiskRootsParts } from './disk-roots.ts';
export type { FilePlace } from './file-places.ts';
export { createFilesystems } from './filesystems.ts';
export { createLocalCopies } from './local-copies.ts';
export type { HeldFiles, LocalCopies, LocalCopiesParts } from './local-copies.ts';
export type { Filesystems, FilesystemsParts, OpenedSource, WatchQuestion } from './filesystems.ts';
export { createFsService } from './fs-service.ts';
