import type { Visibility } from './visibility.ts';
import type { Role } from './viewer.ts';

/** A signed-in user who makes a request. */
export interface ProfileRequest {
  readonly userId: string;
  readonly credentialId: string;
  readonly role: Role;
  /** The header `X-Profile-Id`; `null` = the user's default profile. */
  readonly requestedProfileId: string | null;
}

/** The profile of a request, and what user and profile together may see. */
export interface ActiveProfile {
  readonly profileId: string;
  readonly visibility: Visibility;
  /** The language that the profile prefers (BCP 47), if it prefers one. */
  readonly locale?: string;
  /** The profile has a PIN, and this credential has not unlocked it. */
  readonly isLocked: boolean;
}

/** Resolves the profile of a request. It runs for every request, so it must be fast. */
export interface ProfileResolver {
  /** Rejects with `not_found` when the profile does not belong to the user. */
  readonly resolveProfile: (request: ProfileRequest) => Promise<ActiveProfile>;
}
