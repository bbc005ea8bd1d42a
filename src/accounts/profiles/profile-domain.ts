import type { Database, Transaction } from '../../../kernel/index.ts';
import type { RecordAudit } from '../../audit/index.ts';
import { toTimestamp, type Clock, type Undo } from '../../clock.ts';
import type { NewId } from '../../uuid-v7.ts';
import { createCheckReach, createGroups, type Groups } from '../groups/index.ts';
import { countOpenInvites, removeInvitesBy } from '../invites/index.ts';
import { createListeners } from '../listeners.ts';
import type { CheckReach } from '../new-user.ts';
import type { Passwords } from '../passwords.ts';
import type { UserFollower } from '../user.ts';
import { createActingProfiles, type ActingProfiles } from './acting-profiles.ts';
import { createPins } from './pins.ts';
import { createProfileFollower, type AssertRoomForProfile } from './profile-follower.ts';
import type { ProfileFollower } from './profile.ts';
import { createProfiles, type Profiles } from './profiles.ts';

/** Profiles and groups, and what users are made and checked with. */
export interface ProfileDomain {
  readonly profiles: Profiles;
  readonly groups: Groups;
  readonly acting: ActingProfiles;
  readonly checkReach: CheckReach;
  readonly followers: readonly UserFollower[];
  /**
   * Tells of each user whose profiles or PINs were changed so that they may see something else;
   * `null` = a group was, and it may be anybody. Connections that outlive a request end with it.
   */
  readonly onSightChange: (listener: (userId: string | null) => void) => Undo;
  /** Another server changed profiles of these users, or groups; `null` = it may concern anybody. */
  readonly changedElsewhere: (userIds: readonly string[] | null) => void;
  /** Another server locked or unlocked profiles. */
  readonly unlocksChangedElsewhere: () => void;
}

/** What the domain is made of. */
export interface ProfileDomainParts {
  readonly database: Database;
  readonly clock: Pick<Clock, 'now'>;
  readonly newId: NewId;
  readonly audit: RecordAudit;
  readonly passwords: Pick<Passwords, 'hash' | 'verify'>;
  readonly hasLibrary: (id: string) => boolean;
  /** The media type of a picture by its first bytes; `null` = it is none. */
  readonly pictureType: (body: Uint8Array) => string | null;
  readonly assertRoom: AssertRoomForProfile;
  /** What other domains keep per profile. */
  readonly followers: readonly ProfileFollower[];
}

/** Creates the domain. Whoever creates the users tells `acting` to forget when one has changed. */
export function createProfileDomain(parts: ProfileDomainParts): ProfileDomain {
  const { hasLibrary, clock } = parts;
  const pins = createPins(parts);
  const acting = createActingProfiles({ ...parts, pins });
  const openInvites = (trx: Transaction, groupId: string): Promise<number> =>
    countOpenInvites(trx, groupId, toTimestamp(clock.now()));
  const groups = createGroups({ ...parts, openInvites });
  const sightChanges = createListeners<string | null>();
  groups.onChange(() => {
    acting.forget();
    sightChanges.tell(null);
  });
  const changed = (seesAnew: string | null): void => {
    acting.forget();
    if (seesAnew !== null) sightChanges.tell(seesAnew);
  };
  return {
    profiles: createProfiles({ ...parts, pins, changed }),
    groups,
    acting,
    checkReach: createCheckReach(hasLibrary),
    onSightChange: sightChanges.add,
    changedElsewhere: (userIds) => {
      acting.forget();
      for (const userId of userIds ?? [null]) sightChanges.tell(userId);
    },
    unlocksChangedElsewhere: pins.forget,
    followers: [
      createProfileFollower(parts),
      { created: async () => undefined, removed: removeInvitesBy },
    ],
  };
}
