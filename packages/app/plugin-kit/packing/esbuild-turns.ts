import { createSerialQueue } from '../../../lib/concurrency/index.ts';

/**
 * A mutex for esbuild. A process has one esbuild service, and the packer of a kernel stops it when it is
 * done: a build that runs at that moment would fail. So builds and starts of kernels run one at a time.
 */
const builds = createSerialQueue();

/** Runs the work after all earlier work has ended. */
export const inTurn = builds.run;
