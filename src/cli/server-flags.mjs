/**
 * How Node runs the server. The young generation is kept small: on a machine with much memory V8
 * lets it grow to 128 MiB of garbage that a scan leaves behind, for no speed to speak of.
 */
export const serverFlags = ['--enable-source-maps', '--max-semi-space-size=16'];

/** Room for parallel disk, database and password work; fewer pools of freed memory. */
export const serverEnvironment = { UV_THREADPOOL_SIZE: '16', MALLOC_ARENA_MAX: '2' };
