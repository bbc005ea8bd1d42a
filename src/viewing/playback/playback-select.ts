import type { SelectItemPlayback } from '../../library/catalogue/index.ts';

/** Selects a profile's playback states in the statement that reads items. */
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
