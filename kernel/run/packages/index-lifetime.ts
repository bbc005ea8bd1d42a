/**
 * How long an index may be trusted. Its source signs the expiry, so that a server that keeps handing
 * out an old index can hide a revocation for a few weeks at most.
 */

/** Longest time from `updatedAt` to `expiresAt`. */
export const longestIndexDays = 30;

const dayMs = 86_400_000;

/** How far the clock of a source may be ahead of this server's. */
const clockSlackMs = dayMs;

interface Lifetime {
  readonly updatedAt: string;
  readonly expiresAt: string;
}

/** The fault of the two moments; `null` = none. */
export function lifetimeFault({ updatedAt, expiresAt }: Lifetime): string | null {
  for (const [name, moment] of Object.entries({ updatedAt, expiresAt }))
    if (Number.isNaN(Date.parse(moment)))
      return `${name}: ${moment} is not a moment of a calendar.`;
  const lastsMs = Date.parse(expiresAt) - Date.parse(updatedAt);
  if (lastsMs <= 0) return `expiresAt: ${expiresAt} is not after updatedAt, ${updatedAt}.`;
  return lastsMs > longestIndexDays * dayMs
    ? `expiresAt: ${expiresAt} is more than ${longestIndexDays} days after updatedAt, ${updatedAt}.`
    : null;
}

/**
 * Whether the index has expired, so that nothing may be installed from it; `now` in Unix
 * milliseconds.
 */
export const isExpired = ({ expiresAt }: Pick<Lifetime, 'expiresAt'>, now: number): boolean =>
  now >= Date.parse(expiresAt);

/** Whether its signing time is in the future, which would extend its lifetime. */
export const isFromTheFuture = ({ updatedAt }: Pick<Lifetime, 'updatedAt'>, now: number): boolean =>
  Date.parse(updatedAt) > now + clockSlackMs;
