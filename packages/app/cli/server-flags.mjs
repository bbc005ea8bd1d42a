/**
 * Node flags of the server. V8 would otherwise let garbage grow to hundreds of MiB on a machine
 * with much memory; every queue and cache of the server is bounded well below these limits.
 */
export const serverFlags = [
  '--max-semi-space-size=8',
  '--max-old-space-size=512',
  '--initial-old-space-size=80',
  '--no-allocation-site-pretenuring',
  '--invocation-count-for-turbofan=30000',
];

/**
 * Threads for parallel disk, database and password work. The glibc settings return freed memory to
 * the system.
 */
export const serverEnvironment = {
  UV_THREADPOOL_SIZE: '16',
  MALLOC_ARENA_MAX: '2',
  MALLOC_MMAP_THRESHOLD_: '131072',
  MALLOC_TRIM_THRESHOLD_: '131072',
};
