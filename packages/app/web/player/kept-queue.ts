/** The queue of the dock over a reload of the page: in this tab alone, and for its profile alone. */
import { viewer } from '../core/session.ts';
import { queue, queueAt, repeat, type Queued, type Repeat } from './queue-state.ts';

/** Its name in the storage of the tab. */
export const queueKey = 'queue';
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
    sessionStorage.removeItem(queueKey);
    return;
  }
  const from = Math.max(0, Math.min(at - mostKept / 2, queue.peek().length - mostKept));
  const items = queue.peek().slice(from, from + mostKept);
  const kept: Kept = { profileId, items, at: at - from, position, repeat: repeat.peek() };
  sessionStorage.setItem(queueKey, JSON.stringify(kept));
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
