/** The time that a bench may take. When it is over, the bench gives up and names what had not ended. */

/** The end of a bench whose time is over. */
export class GaveUp extends Error {}

/** Counts from now. */
export class Patience {
  readonly #bench: string;
  readonly #longestMs: number;
  readonly #endAt: number;

  constructor(bench: string, longestMs: number) {
    this.#bench = bench;
    this.#longestMs = longestMs;
    this.#endAt = performance.now() + longestMs;
  }

  /** The result of a step that ends in time; rejects with `GaveUp` otherwise. */
  async wait<Result>(what: string, work: Promise<Result>): Promise<Result> {
    let timer: NodeJS.Timeout | undefined;
    const over = new Promise<never>((_, reject) => {
      const seconds = Math.round(this.#longestMs / 1000);
      const why = `The bench ${this.#bench} gave up after ${seconds} s: ${what} had not ended. The machine may be busy.`;
      const leftMs = Math.max(0, this.#endAt - performance.now());
      timer = setTimeout(() => reject(new GaveUp(why)), leftMs);
    });
    try {
      return await Promise.race([work, over]);
    } finally {
      clearTimeout(timer);
    }
  }
}
