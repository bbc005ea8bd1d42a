/**
 * The packer of a kernel ends esbuild's service when it has done its work, and there is one service in
 * a process: whoever bundles meanwhile would lose it. So bundling and the starts of kernels take turns.
 */
let last: Promise<unknown> = Promise.resolve();

/** Runs work in its turn. */
export function inTurn<Result>(work: () => Promise<Result>): Promise<Result> {
  const turn = last.then(work);
  last = turn.catch(() => undefined);
  return turn;
}
