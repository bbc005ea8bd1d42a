/**
 * How Node runs the server. On a machine with much memory V8 lets garbage grow to hundreds of MiB
 * before it looks at it; every queue and cache of the server is bounded well below these. Below 96 MiB
 * it does not look at all that is there: it would do so at each step of a heap that grows to as much.
 */
export const serverFlags = [
  '--max-semi-space-size=8',
  '--max-old-space-size=512',
  '--initial-heap-size=96',
];

/**
 * Room for parallel disk, database and password work; fewer pools of freed memory, and large blocks
 * given back at once: left to itself, glibc keeps them among the small ones, and holes remain.
 */
export const serverEnvironment = {
  UV_THREADPOOL_SIZE: '16',
  MALLOC_ARENA_MAX: '2',
  MALLOC_MMAP_THRESHOLD_: '131072',
  MALLOC_TRIM_THRESHOLD_: '131072',
};
