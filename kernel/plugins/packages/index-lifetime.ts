/**
 * How long an index may be trusted. Its source signs the end of it, so that whoever hands out an old index
 * for ever, or answers that nothing has changed, hides a revocation for a few weeks at most.
 */

/** Longest time from `updatedAt` to `expiresAt`. */
export const longestIndexDays = 30;

const dayMs = 86_400_000;

/** How far the clock of a source may be ahead of the server's. */
const clockSlackMs = dayMs;

interface Lifetime {
  readonly updatedAt: string;
  readonly expiresAt: string;
}

/** What is wrong with the two moments; `null` = nothing. */
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

/** Whether nothing may be installed from it any more; a moment in Unix milliseconds. */
export const isExpired = ({ expiresAt }: Pick<Lifetime, 'expiresAt'>, now: number): boolean =>
  now >= Date.parse(expiresAt);

/** Whether it says that it was signed in the future: it would then last longer than it may. */
export const isFromTheFuture = ({ updatedAt }: Pick<Lifetime, 'updatedAt'>, now: number): boolean =>
  Date.parse(updatedAt) > now + clockSlackMs;
