import type { IdentityError } from './identity-error.ts';
import { fraction, type RandomBytes } from './random.ts';

const first = 5_000;
const longest = 15 * 60_000;

/** Temporary failures, which are retried; any other needs an action. */
const passing: ReadonlySet<string> = new Set([
  'unreachable',
  'rate_limited',
  'challenge_invalid',
  'token_invalid',
  'token_expired',
]);

/**
 * The wait after consecutive failures: 5 s, doubled up to 15 minutes, a fifth more or less, and
 * never less than the wait that the other side requested.
 */
export function backOffMs(failures: number, error: IdentityError, random: RandomBytes): number {
  const planned = passing.has(error.code) ? first * 2 ** Math.min(failures - 1, 10) : longest;
  const spread = 0.8 + 0.4 * fraction(random);
  const waitMs = Math.round(Math.min(planned, longest) * spread);
  return Math.max(waitMs, error.details.retryAfterMs ?? 0);
}
