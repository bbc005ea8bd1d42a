import type { SelectItemPlayback } from '../../library/catalogue/index.ts';
import type { ProfileItems } from '../../library/catalogue/items/index.ts';

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

const states = {
  watched: 'completed = 1',
  started: 'started = 1',
  any: '(completed = 1 or started = 1)',
};

/** What lists of items ask of a profile: its plays, favourites and ratings. */
export const profileItems: ProfileItems = {
  played: (profileId, state) => ({
    table: 'playback',
    where: `profile_id = ? and ${states[state]}`,
    bindings: [profileId],
  }),
  favourites: (profileId) => ({
    table: 'item_marks',
    where: 'profile_id = ? and favourite_at is not null',
    bindings: [profileId],
  }),
  rated: (profileId, { from, to }) => ({
    table: 'item_marks',
    where: 'profile_id = ? and rating >= ? and rating <= ?',
    bindings: [profileId, from ?? 0, to ?? 5],
  }),
  plays: (profileId, by) => {
    const value = by === 'lastPlayedAt' ? 'last_played_at' : 'play_count';
    return {
      table: 'playback',
      where: `profile_id = ? and ${value} > 0`,
      bindings: [profileId],
      value,
    };
  },
};
