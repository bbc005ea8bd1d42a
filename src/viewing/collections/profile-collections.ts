import type { ProfileFollower } from '../../people/profiles/index.ts';
import { deleteCollections, readOwnNumbers } from './collection-store.ts';

/** Collections are deleted with their profile; their items stay in their libraries. */
export const collectionsOfProfiles: ProfileFollower = {
  removed: async (trx, profileId) => deleteCollections(trx, await readOwnNumbers(trx, profileId)),
};
