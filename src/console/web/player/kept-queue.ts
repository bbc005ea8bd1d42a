/** The queue of the dock over a reload of the page: in this tab alone, and for its profile alone. */
import { viewer } from '../core/session.ts';
import { fillQueue, queue, queueAt, repeat, type Queued, type Repeat } from './queue-state.ts';

const key = 'queue';
/** More would fill what a browser keeps of a page. */
const mostKept = 2000;

interface Kept {
  readonly profileId: string;
  readonly items: readonly Queued[];
  readonly at: number;
  readonly position: number;
  readonly repeat: Repeat;
}

/** Keeps what is in the queue, with the seconds at which it stands. */
export function keepQueue(position: number): void {
  const profileId = viewer.peek()?.profileId;
  const at = queueAt.peek();
  if (profileId === undefined || at < 0) {
    sessionStorage.removeItem(key);
    return;
  }
  const from = Math.max(0, Math.min(at - mostKept / 2, queue.peek().length - mostKept));
  const items = queue.peek().slice(from, from + mostKept);
  const kept: Kept = { profileId, items, at: at - from, position, repeat: repeat.peek() };
  sessionStorage.setItem(key, JSON.stringify(kept));
}

/** What was kept for this profile; `undefined` = nothing that can be read. */
export function readKept(text: string | null, profileId: string | undefined): Kept | undefined {
  try {
    const kept = JSON.parse(text ?? 'null') as Kept | null;
    if (kept === null || kept.profileId !== profileId || !(kept.position >= 0)) return undefined;
    return kept.items[kept.at]?.id === undefined ? undefined : kept;
  } catch {
    return undefined;
  }
}

/** Puts the kept queue into the dock, where it waits for Play: no page may begin to sound by itself. */
export async function restoreQueue(): Promise<void> {
  const kept = readKept(sessionStorage.getItem(key), viewer.peek()?.profileId);
  if (kept === undefined || queueAt.peek() >= 0) return;
  const { queuePlayer } = await import('./queue-player.ts');
  fillQueue(kept.items, kept.at, false);
  repeat.value = kept.repeat;
  const id = kept.items[kept.at]?.id ?? '';
  await queuePlayer.open(id, { from: kept.position, plays: false });
}
