/**
 * As which profile a request acts, and what user and profile together may see. It is asked for every
 * request, so what it needs is kept in memory; and every change of a user, group or profile forgets
 * it before that change is answered.
 */
import type { Database } from '../../../kernel/index.ts';
import { AppError } from '../../errors.ts';
import type { Acting } from '../acting.ts';
import { createFreshCache } from '../fresh-cache.ts';
import { ceilingOf, sightOfAccess } from '../groups/index.ts';
import { findGroups } from '../groups/group-store.ts';
import { narrowed, type Sight } from '../sight.ts';
import { findUser } from '../user-store.ts';
import type { Pins } from './pins.ts';
import { profilesOf, type StoredProfile } from './profile-store.ts';

/** Says as which profile requests act. */
export interface ActingProfiles extends Acting {
  /** What the user may see at most, whichever profile they choose. */
  readonly ceilingOf: (userId: string) => Promise<Sight>;
  /** After every change of what it was made of. */
  readonly forget: () => void;
}

/** What it is made of. */
export interface ActingParts {
  readonly database: Database;
  readonly pins: Pick<Pins, 'isUnlocked'>;
}

interface ActingUser {
  readonly ceiling: Sight;
  readonly defaultId: string;
  readonly profiles: ReadonlyMap<string, { readonly hasPin: boolean; readonly sight: Sight }>;
}

const mostCached = 1000;

/** Creates it with nothing in memory. */
export function createActingProfiles({ database, pins }: ActingParts): ActingProfiles {
  const cache = createFreshCache<ActingUser>(mostCached);

  const actingUser = (userId: string): Promise<ActingUser | undefined> =>
    cache.get(userId, () => read(database.read, userId));

  const actAs: Acting['actAs'] = async ({ userId, credentialId, requestedProfileId }) => {
    const user = await actingUser(userId);
    const profileId = requestedProfileId ?? user?.defaultId ?? '';
    const profile = user?.profiles.get(profileId);
    if (!profile) throw new AppError('not_found', { what: `Profile ${profileId.slice(0, 100)}` });
    const { hasPin, sight } = profile;
    const isLocked = hasPin && !(await pins.isUnlocked(profileId, credentialId));
    return { profileId, sight, isLocked };
  };

  return {
    actAs,
    ceilingOf: async (userId) => (await actingUser(userId))?.ceiling ?? sightOfAccess([]),
    forget: cache.forget,
  };
}

async function read(db: Database['read'], userId: string): Promise<ActingUser | undefined> {
  const user = await findUser(db, userId);
  if (!user) return undefined;
  const [groups, profiles] = await Promise.all([
    findGroups(db, user.groupIds),
    profilesOf(db, userId),
  ]);
  const ceiling = ceilingOf(user, groups);
  return {
    ceiling,
    defaultId: profiles.find(({ isDefault }) => isDefault)?.id ?? '',
    profiles: new Map(
      profiles.map((one) => [one.id, { hasPin: one.hasPin, sight: sightAs(one, ceiling) }]),
    ),
  };
}

const sightAs = ({ libraryAccess }: StoredProfile, ceiling: Sight): Sight =>
  libraryAccess.length === 0 ? ceiling : narrowed(ceiling, sightOfAccess(libraryAccess));
