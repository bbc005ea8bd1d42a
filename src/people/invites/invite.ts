import { AppError } from '../../platform/errors.ts';

const tokenForm = /^vtn_[\w-]{43}$/;
const prefix = 'vtn_';

/** Whether a text has the form of the token of an invite: `vtn_` and 32 bytes as base64url. */
export const isInviteToken = (text: string): boolean => tokenForm.test(text);

/** A token from 32 random bytes. */
export const inviteToken = (random: Buffer): string => prefix + random.toString('base64url');

/** The masked form of a token: `vtn_…aB3x`. */
export const maskedToken = (end: string): string => `${prefix}…${end}`;

const dayMs = 24 * 60 * 60_000;
const usualDays = 7;
const mostDays = 366;

/** The expiry time: the requested one, a week from now by default, or a refusal. */
export function parseExpiry(expiresAt: string | undefined, nowMs: number): number {
  if (expiresAt === undefined) return nowMs + usualDays * dayMs;
  const at = Date.parse(expiresAt);
  if (at > nowMs && at <= nowMs + mostDays * dayMs) return at;
  throw new AppError('invalid_request', {
    what: `expiresAt must be in the future, at most ${mostDays} days from now.`,
  });
}
