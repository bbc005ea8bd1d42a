import type { ProfileFollower } from '../accounts/index.ts';
import { deletePlayback } from './playback-store.ts';

/** What a profile played is forgotten with it. */
export const playbackOfProfiles: ProfileFollower = {
  removed: async (trx, profileId) => {
    await deletePlayback(trx, { profile_id: profileId });
  },
};
