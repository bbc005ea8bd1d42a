import type { Selection } from '../../../../kernel/store/index.ts';
import { timestamp, type BigNumber } from '../tables/rows.ts';
import type { ItemPlayback, ProfileState } from '../../../contract/resources/library/catalogue.ts';

/** A profile's playback state of an item, as a row. */
export interface PlayedRow {
  readonly completed: boolean | number | null;
  readonly position: number | null;
  readonly duration: number | null;
}

/** What a profile says of an item, as a row. */
export interface ProfileStateRow extends PlayedRow {
  readonly item_id: string;
  readonly play_count: number | null;
  readonly last_played_at: BigNumber | null;
  readonly favourite_at: BigNumber | null;
  readonly rating: number | null;
}

/**
 * Selects what a profile says of items within the statement that reads them. `members` is SQL for
 * their ids.
 */
export type SelectItemPlayback = (profileId: string, members: string) => Selection<ProfileStateRow>;

/** The state of a row. */
export const toPlayback = ({ completed, position, duration }: PlayedRow): ItemPlayback => ({
  completed: Boolean(completed),
  position: position ?? 0,
  duration: duration ?? 0,
});

/** What the row of an item says; without a row, what holds before anything was said. */
export function toProfileState(row: ProfileStateRow | undefined): ProfileState {
  if (row === undefined) return nothingSaid;
  return {
    playback: toPlayback(row),
    favourite: row.favourite_at !== null,
    myRating: row.rating,
    playCount: row.play_count ?? 0,
    lastPlayedAt: row.last_played_at === null ? null : timestamp(row.last_played_at),
  };
}

const nothingSaid: ProfileState = {
  playback: { completed: false, position: 0, duration: 0 },
  favourite: false,
  myRating: null,
  playCount: 0,
  lastPlayedAt: null,
};
