import type { Database, Transaction } from '../../../kernel/store/index.ts';
import type { RecordAudit } from '../../platform/audit/index.ts';
import { toTimestamp, type Clock, type Undo } from '../../platform/clock.ts';
import type { NewId } from '../../platform/uuid-v7.ts';
import { createUserAccessCheck, createGroups, type Groups } from '../groups/index.ts';
import { countOpenInvites, removeInvitesBy } from '../invites/index.ts';
import { createListeners } from '../../platform/listeners.ts';
import type { CheckUserAccess, UserFollower } from '../accounts/index.ts';
import type { Passwords } from '../credentials/index.ts';
import { createActiveProfiles, type ActiveProfiles } from './active-profiles.ts';
import { createPersonOf, type PersonOf } from './person-of.ts';
import { createPins } from './pins.ts';
import { createPreferences, type Preferences } from './preferences.ts';
import { createProfileFollower, type AssertRoomForProfile } from './profile-follower.ts';
import type { ProfileFollower } from './profile.ts';
import { createProfiles, type Profiles } from './profiles.ts';

/** Profiles and groups, and what the creation of users needs of them. */
export interface ProfileDomain {
  readonly profiles: Profiles;
  readonly preferences: Preferences;
  readonly groups: Groups;
  readonly activeProfiles: ActiveProfiles;
  readonly personOf: PersonOf;
  readonly checkUserAccess: CheckUserAccess;
  readonly followers: readonly UserFollower[];
  /**
   * Reports each user whose visibility may have changed with their profiles or PINs; `null` = a
   * group changed, and any user may be concerned. Connections that outlive a request must then be
   * closed.
   */
  readonly onVisibilityChange: (listener: (userId: string | null) => void) => Undo;
  /**
   * Another server changed profiles of these users, or groups; `null` = any user may be concerned.
   */
  readonly onRemoteChange: (userIds: readonly string[] | null) => void;
  /** Another server locked or unlocked profiles. */
  readonly onRemoteUnlockChange: () => void;
}

export interface ProfileDomainParts {
  readonly database: Database;
  readonly clock: Pick<Clock, 'now' | 'steady'>;
  readonly newId: NewId;
  readonly audit: RecordAudit;
  readonly passwords: Pick<Passwords, 'hash' | 'verify'>;
  readonly hasLibrary: (id: string) => boolean;
  /** Where a rating is read that several systems have; null = nowhere. */
  readonly country: string | null;
  readonly assertRoom: AssertRoomForProfile;
  /** Other domains that store data per profile. */
  readonly followers: readonly ProfileFollower[];
}

/** Creates the domain. The creator of the users must call `activeProfiles.forget` when a user changes. */
export function createProfileDomain(parts: ProfileDomainParts): ProfileDomain {
  const { clock } = parts;
  const pins = createPins(parts);
  const activeProfiles = createActiveProfiles({ ...parts, pins });
  const openInvites = (trx: Transaction, groupId: string): Promise<number> =>
    countOpenInvites(trx, groupId, toTimestamp(clock.now()));
  const groups = createGroups({ ...parts, openInvites });
  const visibilityChanges = createListeners<string | null>();
  groups.onChange(() => {
    activeProfiles.forget();
    visibilityChanges.emit(null);
  });
  const changed = (affectedUserId: string | null): void => {
    activeProfiles.forget();
    if (affectedUserId !== null) visibilityChanges.emit(affectedUserId);
  };
  const profiles = createProfiles({ ...parts, pins, changed });
  return {
    profiles,
    preferences: createPreferences({
      ...parts,
      profiles,
      onLocaleChange: activeProfiles.forget,
    }),
    groups,
    activeProfiles,
    personOf: createPersonOf({ ...parts, activeProfiles }),
    checkUserAccess: createUserAccessCheck(parts),
    onVisibilityChange: visibilityChanges.add,
    onRemoteChange: (userIds) => {
      activeProfiles.forget();
      for (const userId of userIds ?? [null]) visibilityChanges.emit(userId);
    },
    onRemoteUnlockChange: pins.forget,
    followers: [
      createProfileFollower(parts),
      { created: async () => undefined, removed: removeInvitesBy },
    ],
  };
}
