export type { ByteRange } from './byte-blocks.ts';
export { createDiskRoots, type DiskRootsParts } from './disk-roots.ts';
export { createFilesystems } from './filesystems.ts';
export type { Filesystems, FilesystemsParts, OpenedSource, WatchQuestion } from './filesystems.ts';
export { createFsService } from './fs-service.ts';
