import { viewer } from '../core/session.ts';
import { queueKey, readKept } from './kept-queue.ts';
import { queuePlayer } from './queue-player.ts';
import { fillQueue, queueAt, repeat } from './queue-state.ts';

/** Puts the kept queue into the dock, where it waits for Play: no page may begin to sound by itself. */
export async function restoreQueue(): Promise<void> {
  const kept = readKept(sessionStorage.getItem(queueKey), viewer.peek()?.profileId);
  if (kept === undefined || queueAt.peek() >= 0) return;
  fillQueue(kept.items, kept.at, false);
  repeat.value = kept.repeat;
  const id = kept.items[kept.at]?.id ?? '';
  await queuePlayer.open(id, { from: kept.position, plays: false });
}
