import type { Sight } from './sight.ts';
import type { Role } from './viewer.ts';

/** A signed-in user who is about to act. */
export interface ActingRequest {
  readonly userId: string;
  readonly credentialId: string;
  readonly role: Role;
  /** The header `X-Profile-Id`; `null` = the user's default profile. */
  readonly requestedProfileId: string | null;
}

/** As which profile, and what user and profile together may see. */
export interface ActingProfile {
  readonly profileId: string;
  readonly sight: Sight;
  /** The profile has a PIN, and this credential has not told it. */
  readonly isLocked: boolean;
}

/** Says as which profile a request acts. It is asked for every request, so it must be quick. */
export interface Acting {
  /** Rejects with `not_found` when the profile is none of the user's own. */
  readonly actAs: (request: ActingRequest) => Promise<ActingProfile>;
}
