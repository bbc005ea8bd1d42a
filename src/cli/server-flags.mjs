/**
 * How Node runs the server. On a machine with much memory V8 lets garbage grow to hundreds of MiB
 * before it looks at it; every queue and cache of the server is bounded well below these. A heap on its
 * way from a start to a scan would be searched whole at every few MiB: so not before it has 80. And what
 * lives long in a scan does not in a request: V8 would go on to put it among what lives long, where it
 * costs twice as much. Its best compiler comes late: a scan of a second hardly runs what that makes,
 * and where there are two cores, compiling takes a tenth of both.
 */
export const serverFlags = [
  '--max-semi-space-size=8',
  '--max-old-space-size=512',
  '--initial-old-space-size=80',
  '--no-allocation-site-pretenuring',
  '--invocation-count-for-turbofan=30000',
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
