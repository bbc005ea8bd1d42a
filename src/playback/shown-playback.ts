import type { SelectItemPlayback } from '../library/index.ts';

/** Tells, for whoever reads items, how far a profile is in each, in the same statement. */
export const selectItemPlayback: SelectItemPlayback = (profileId, members) => ({
  columns: {
    item_id: 'item_id',
    completed: 'completed',
    position: 'position',
    duration: 'duration',
  },
  from: `playback where profile_id = ? and item_id in ${members}`,
  bindings: [profileId],
});
