import type { Database } from '../../../kernel/store/index.ts';
import { findUser } from '../accounts/index.ts';
import { serverViewer, type Viewer } from '../viewer/index.ts';
import type { ActiveProfiles } from './active-profiles.ts';
import { findProfile } from './profile-store.ts';

/**
 * The person of a profile, without a request of theirs; `null` when the profile is gone or its user is
 * disabled. It sees what they see without a PIN, and is never an admin.
 */
export type PersonOf = (profileId: string) => Promise<Viewer | null>;

export function createPersonOf({
  database,
  activeProfiles,
}: {
  readonly database: Database;
  readonly activeProfiles: Pick<ActiveProfiles, 'resolveProfile'>;
}): PersonOf {
  return async (profileId) => {
    const profile = await findProfile(database.read, profileId);
    const user = profile && (await findUser(database.read, profile.userId));
    if (!user || user.disabled) return null;
    const role = user.role === 'admin' ? 'user' : user.role;
    const request = { userId: user.id, credentialId: serverViewer.credentialId, role };
    const { visibility, locale } = await activeProfiles.resolveProfile({
      ...request,
      requestedProfileId: profileId,
    });
    return {
      ...request,
      credentialKind: serverViewer.credentialKind,
      profileId,
      isReadOnly: false,
      visibility,
      ...(locale !== undefined && { locale }),
    };
  };
}
