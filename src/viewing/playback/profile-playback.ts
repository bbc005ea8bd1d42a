import type { ProfileFollower } from '../../people/profiles/index.ts';
import { deleteMarks } from './mark-store.ts';
import { deletePlayback } from './playback-store.ts';
import { deleteWatchedCounts } from './watched-count-store.ts';

/** Playback states and marks are deleted with their profile. */
export const playbackOfProfiles: ProfileFollower = {
  removed: async (trx, profileId) => {
    await deletePlayback(trx, { profile_id: profileId });
    await deleteMarks(trx, profileId);
    await deleteWatchedCounts(trx, profileId);
  },
};
