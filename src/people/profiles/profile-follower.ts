import type { Transaction } from '../../../kernel/store/index.ts';
import { toTimestamp, type Clock } from '../../platform/clock.ts';
import { AppError } from '../../platform/errors.ts';
import type { NewId } from '../../platform/uuid-v7.ts';
import type { UserFollower } from '../accounts/index.ts';
import type { ProfileFollower } from './profile.ts';
import { insertProfile, profilesOf, removeProfile } from './profile-store.ts';
import type { User } from '../../contract/resources/accounts/accounts.ts';

/** Rejects when no further profile may be created. */
export type AssertRoomForProfile = (trx: Transaction) => Promise<void>;

export interface ProfileFollowerParts {
  readonly clock: Pick<Clock, 'now'>;
  readonly newId: NewId;
  readonly assertRoom: AssertRoomForProfile;
  readonly followers: readonly ProfileFollower[];
}

/**
 * Creates the default profile with its user, under the same name, and removes all profiles with
 * their user.
 */
export function createProfileFollower(parts: ProfileFollowerParts): UserFollower {
  const { clock, newId, assertRoom, followers } = parts;
  return {
    created: async (trx, user) => {
      await assertRoom(trx);
      const at = toTimestamp(clock.now());
      await insertProfile(trx, {
        id: newId(),
        userId: user.id,
        name: user.name,
        avatarUrl: null,
        libraryAccess: null,
        isDefault: true,
        hasPin: false,
        pinHash: null,
        createdAt: at,
        updatedAt: at,
      });
    },
    updated: async (trx, user) => {
      if (user.role === 'admin') assertAdminSeesAll(user, await profilesOf(trx, user.id));
    },
    removed: async (trx, userId) => {
      for (const { id } of await profilesOf(trx, userId)) {
        for (const follower of followers) await follower.removed(trx, id);
        await removeProfile(trx, id);
      }
    },
  };
}

function assertAdminSeesAll(
  { name }: Pick<User, 'name'>,
  profiles: Awaited<ReturnType<typeof profilesOf>>,
): void {
  const fallback = profiles.find(({ isDefault }) => isDefault);
  if (fallback === undefined || fallback.libraryAccess === null) return;
  throw new AppError('invalid_request', {
    what: `The default profile of an admin must see everything: set the libraryAccess of ${JSON.stringify(fallback.name)}, the default profile of ${JSON.stringify(name)}, to null first.`,
  });
}
