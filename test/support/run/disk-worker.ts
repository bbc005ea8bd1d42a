import path from 'node:path';

/** The thread of a disk as it is built: the types of its source would be taken out at each start. */
export const builtDiskWorker = path.resolve(import.meta.dirname, '../../../dist/disk-worker.mjs');
