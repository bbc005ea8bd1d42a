import { availableParallelism } from 'node:os';

/**
 * Where every thread of V8 has to wait for one of two processors, a collection that several of them do
 * together lasts until the last of them had its turn; so the server's own thread does it.
 */
const fewProcessors = availableParallelism() <= 2 ? ['--no-parallel-scavenge'] : [];

/**
 * How Node runs the server. On a machine with much memory V8 lets garbage grow to hundreds of MiB
 * before it looks at it; every queue and cache of the server is bounded well below these.
 */
export const flagsEverywhere = ['--max-semi-space-size=8', '--max-old-space-size=512'];

/** Those, and what the number of processors asks for. */
export const serverFlags = [...flagsEverywhere, ...fewProcessors];

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
