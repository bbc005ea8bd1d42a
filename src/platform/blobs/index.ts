export {
  BlobStoreFailed,
  type BlobRange,
  type BlobStore,
  type ListedBlob,
  type OpenedBlob,
} from './blob-store.ts';
export { createBlobCache } from './blob-cache.ts';
export { createBlobSweep, sweepKind, type BlobLimits } from './blob-sweep.ts';
export { createLentCache } from './lent-cache.ts';
export { createFolderBlobs } from './folder-blobs.ts';
export { createS3Blobs, type BlobKeys } from './s3-blobs.ts';
export { readBlobKeys } from './blob-keys.ts';
export { watchedBlobs, type WatchedBlobs } from './watched-blobs.ts';
