import type { SelectItemPlayback } from '../../library/catalogue/index.ts';

/** Selects what a profile says of items in the statement that reads them. */
export const selectItemPlayback: SelectItemPlayback = (profileId, members) => ({
  columns: {
    item_id: 'listed.id',
    completed: 'playback.completed',
    position: 'playback.position',
    duration: 'playback.duration',
    play_count: 'playback.play_count',
    last_played_at: 'playback.last_played_at',
    favourite_at: 'item_marks.favourite_at',
    rating: 'item_marks.rating',
  },
  from: `${members} as listed
    left join playback on playback.profile_id = ? and playback.item_id = listed.id
    left join item_marks on item_marks.profile_id = ? and item_marks.item_id = listed.id
    where playback.item_id is not null or item_marks.item_id is not null`,
  bindings: [profileId, profileId],
});
