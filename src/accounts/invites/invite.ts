import { AppError } from '../../errors.ts';
import type { LibraryAccess } from '../library-access.ts';
import type { Role } from '../viewer.ts';

/** A link that makes whoever follows it a user. */
export interface Invite {
  readonly id: string;
  /** Whole in the answer that makes it; after that its last characters only. */
  readonly token: string;
  readonly role: Role;
  readonly libraryAccess: readonly LibraryAccess[];
  readonly groupIds: readonly string[];
  readonly maxUses: number;
  readonly useCount: number;
  readonly expiresAt: string;
  /** The id of the user who made it. */
  readonly createdBy: string;
  readonly createdAt: string;
}

const tokenForm = /^vtn_[\w-]{43}$/;
const prefix = 'vtn_';

/** Whether a text has the form of the token of an invite: `vtn_` and 32 bytes as base64url. */
export const isInviteToken = (text: string): boolean => tokenForm.test(text);

/** A token from 32 random bytes. */
export const inviteToken = (random: Buffer): string => prefix + random.toString('base64url');

/** How a token is shown to those who know the invite: `vtn_…aB3x`. */
export const maskedToken = (end: string): string => `${prefix}…${end}`;

const dayMs = 24 * 60 * 60_000;
const usualDays = 7;
const mostDays = 366;

/** When it ends: a week from now, or the time that was asked for, or a refusal. */
export function parseExpiry(expiresAt: string | undefined, nowMs: number): number {
  if (expiresAt === undefined) return nowMs + usualDays * dayMs;
  const at = Date.parse(expiresAt);
  if (at > nowMs && at <= nowMs + mostDays * dayMs) return at;
  throw new AppError('invalid_request', {
    what: `expiresAt must be a time to come, at most ${mostDays} days from now.`,
  });
}
