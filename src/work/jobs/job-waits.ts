/** A step that cannot be taken now. It is no failure: the job is pending for so long, and frees its place. */
export class JobWaits extends Error {
  readonly ms: number;
  constructor(ms: number) {
    super('The job waits.');
    this.ms = ms;
  }
}
