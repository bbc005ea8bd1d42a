const toleranceMs = 600_000;

/**
 * Whether two clocks agree well enough for signing. A broker with a clock far ahead would get
 * passes that begin when the user believes them expired.
 */
export const isClockFair = (brokerMs: number, ownMs: number): boolean =>
  Math.abs(brokerMs - ownMs) <= toleranceMs;
