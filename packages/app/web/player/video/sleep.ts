/** When a video falls silent. It is of the page, so it goes on with the next episode. */
import { effect, signal } from '@preact/signals';
import type { Player } from '../player-state.ts';

/** Minutes that are offered. */
export const sleepMinutes = [15, 30, 45, 60, 90] as const;

/** After so many minutes from when it was set, or after what plays now; `null` = not. */
export interface Sleep {
  readonly after: 'title' | number;
  /** Unix milliseconds; without a meaning for `title`. */
  readonly until: number;
}

/** The timer that is set. */
export const sleep = signal<Sleep | null>(null);

/** Sets it; `null` takes it back. */
export function setSleep(after: Sleep['after'] | null): void {
  const minutes = typeof after === 'number' ? after : 0;
  sleep.value = after === null ? null : { after, until: Date.now() + minutes * 60_000 };
}

/** Whether the end of a title is the end of all; the timer is over then. */
export function sleepsNow(): boolean {
  if (sleep.peek()?.after !== 'title') return false;
  sleep.value = null;
  return true;
}

/** Pauses a player when it is time; returns how to stop. */
export const followSleep = (player: Pick<Player, 'pause'>): (() => void) =>
  effect(() => {
    const set = sleep.value;
    if (set === null || set.after === 'title') return undefined;
    const timer = setTimeout(
      () => {
        player.pause();
        sleep.value = null;
      },
      Math.max(0, set.until - Date.now()),
    );
    return () => clearTimeout(timer);
  });
