/**
 * A mutex for esbuild. A process has one esbuild service, and the packer of a kernel stops it when it is
 * done: a build that runs at that moment would fail. So builds and starts of kernels run one at a time.
 */
let last: Promise<unknown> = Promise.resolve();

/** Runs the work after all earlier work has ended. */
export function inTurn<Result>(work: () => Promise<Result>): Promise<Result> {
  const turn = last.then(work);
  last = turn.catch(() => undefined);
  return turn;
}
