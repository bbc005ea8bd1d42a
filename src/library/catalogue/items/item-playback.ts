import type { Selection } from '../../../../kernel/storage/index.ts';
import type { ItemPlayback } from './item.ts';

/** A profile's playback state of an item, as a row. */
export interface PlayedRow {
  readonly item_id: string;
  readonly completed: boolean | number;
  readonly position: number;
  readonly duration: number;
}

/**
 * Selects a profile's playback states within the statement that reads items. `members` is SQL for
 * their ids.
 */
export type SelectItemPlayback = (profileId: string, members: string) => Selection<PlayedRow>;

/** The state of a row. */
export const toPlayback = ({ completed, position, duration }: PlayedRow): ItemPlayback => ({
  completed: Boolean(completed),
  position,
  duration,
});
