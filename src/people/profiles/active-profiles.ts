/**
 * Resolves the profile of a request, and what user and profile together may see. It runs for every
 * request, so its data is cached. Every change of a user, group, profile or preferred language invalidates the cache
 * before the change resolves.
 */
import type { Database } from '../../../kernel/store/index.ts';
import { AppError } from '../../platform/errors.ts';
import { type ProfileResolver, intersect, type Visibility } from '../viewer/index.ts';
import { createFreshCache } from '../../platform/fresh-cache.ts';
import { maxVisibilityOf, visibilityOfAccess, findGroups } from '../groups/index.ts';
import { findUser } from '../accounts/index.ts';
import type { Pins } from './pins.ts';
import { preferredLocales } from './preference-store.ts';
import { profilesOf, type StoredProfile } from './profile-store.ts';

/** Resolves the profiles of requests. */
export interface ActiveProfiles extends ProfileResolver {
  /** The most that the user may see with any of their profiles. */
  readonly maxVisibilityOf: (userId: string) => Promise<Visibility>;
  /** Invalidates the cache; to be called after every change of its data. */
  readonly forget: () => void;
}

export interface ActiveProfilesParts {
  readonly database: Database;
  readonly pins: Pick<Pins, 'isUnlocked'>;
}

interface CachedUser {
  readonly maxVisibility: Visibility;
  readonly defaultId: string;
  readonly profiles: ReadonlyMap<
    string,
    { readonly hasPin: boolean; readonly visibility: Visibility; readonly locale: string | null }
  >;
}

const mostCached = 1000;

/** Creates it with an empty cache. */
export function createActiveProfiles({ database, pins }: ActiveProfilesParts): ActiveProfiles {
  const cache = createFreshCache<CachedUser>(mostCached);

  const cachedUser = (userId: string): Promise<CachedUser | undefined> =>
    cache.get(userId, () => read(database.read, userId));

  const resolveProfile: ProfileResolver['resolveProfile'] = async ({
    userId,
    credentialId,
    requestedProfileId,
  }) => {
    const user = await cachedUser(userId);
    const profileId = requestedProfileId ?? user?.defaultId ?? '';
    const profile = user?.profiles.get(profileId);
    if (!profile) throw new AppError('not_found', { what: `Profile ${profileId.slice(0, 100)}` });
    const { hasPin, visibility, locale } = profile;
    const isLocked = hasPin && !(await pins.isUnlocked(profileId, credentialId));
    return { profileId, visibility, isLocked, ...(locale !== null && { locale }) };
  };

  return {
    resolveProfile,
    maxVisibilityOf: async (userId) =>
      (await cachedUser(userId))?.maxVisibility ?? visibilityOfAccess([]),
    forget: cache.forget,
  };
}

async function read(db: Database['read'], userId: string): Promise<CachedUser | undefined> {
  const user = await findUser(db, userId);
  if (!user) return undefined;
  const [groups, profiles] = await Promise.all([
    findGroups(db, user.groupIds),
    profilesOf(db, userId),
  ]);
  const maxVisibility = maxVisibilityOf(user, groups);
  const preferred = await preferredLocales(
    db,
    profiles.map(({ id }) => id),
  );
  return {
    maxVisibility,
    defaultId: profiles.find(({ isDefault }) => isDefault)?.id ?? '',
    profiles: new Map(
      profiles.map((one) => [
        one.id,
        {
          hasPin: one.hasPin,
          visibility: visibilityAs(one, maxVisibility),
          locale: preferred.get(one.id) ?? null,
        },
      ]),
    ),
  };
}

const visibilityAs = ({ libraryAccess }: StoredProfile, maxVisibility: Visibility): Visibility =>
  libraryAccess === null
    ? maxVisibility
    : intersect(maxVisibility, visibilityOfAccess(libraryAccess));
