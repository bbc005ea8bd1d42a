import type { PlaybackRow } from './playback-store.ts';

/** What a report of a player leaves: position and duration in seconds; for books pages. */
export interface Reported {
  readonly position: number;
  readonly duration: number;
  readonly completed: boolean;
}

type PlayState = Pick<
  PlaybackRow,
  'completed' | 'position' | 'duration' | 'started' | 'play_count' | 'counted' | 'last_played_at'
>;

/** Where a play begins to count as one: after a minute, or a fiftieth of a short item. */
const begunSeconds = 60;
const begunShare = 0.02;
/** Going back before this share begins another play. */
const otherPlayShare = 0.5;

/** Whether so much was played that it is to be continued. */
export const isBegun = ({ position, duration }: Omit<Reported, 'completed'>): boolean =>
  position >= begunSeconds || (duration > 0 && position >= duration * begunShare);

/**
 * The state after a report. Each play is counted once, when it is completed: seeking back and forth
 * over the end counts nothing, going back to the first half begins another play.
 */
export function afterReport(
  known: PlayState | undefined,
  { position, duration, completed }: Reported,
  now: number,
): PlayState {
  const goesOn = completed || (duration > 0 && position >= duration * otherPlayShare);
  const wasCounted = Boolean(known?.counted) && goesOn;
  const isPlayed = completed || position > 0;
  return {
    completed,
    position,
    duration,
    started: !completed && isBegun({ position, duration }),
    play_count: (known?.play_count ?? 0) + (completed && !wasCounted ? 1 : 0),
    counted: wasCounted || completed,
    last_played_at: isPlayed ? now : (known?.last_played_at ?? null),
  };
}
