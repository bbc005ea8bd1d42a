/** The queue of the dock: music and audiobooks that go on while one browses. */
import { loadPart } from '../core/part.ts';
import { fillQueue, queueAt, type Queued } from './queue-state.ts';

const load = () => loadPart(() => import('./queue-player.ts'));

/** Plays items from one of them on. */
export async function playQueue(
  items: readonly (string | Queued)[],
  at: number,
  { shuffle = false }: { readonly shuffle?: boolean } = {},
): Promise<void> {
  const queued = items.map((one) => (typeof one === 'string' ? { id: one } : one));
  fillQueue(queued, at, shuffle);
  const { playPlace } = await load();
  playPlace(queueAt.peek(), { resumes: items.length === 1 });
}

/** Pauses what the dock plays. */
export async function pauseQueue(): Promise<void> {
  if (queueAt.peek() === -1) return;
  const { queuePlayer } = await load();
  queuePlayer.pause();
}
