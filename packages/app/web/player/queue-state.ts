/** What is in the queue of the dock, and in which order. */
import { signal } from '@preact/signals';

/** Something in the queue; a title that is not known is read when it is shown. */
export interface Queued {
  readonly id: string;
  readonly title?: string;
}

/** What follows the end. */
export type Repeat = 'off' | 'all' | 'one';

/** Items in the order in which they play. */
export const queue = signal<readonly Queued[]>([]);
/** The place of the one that plays; -1 = nothing plays. */
export const queueAt = signal(-1);
export const isShuffled = signal(false);
export const repeat = signal<Repeat>('off');

/** The order before it was shuffled. */
let inOrder: readonly Queued[] = [];

/** The list in another order, with `first` at its head. */
export function shuffled(
  list: readonly Queued[],
  first: Queued | undefined,
  random: () => number = Math.random,
): readonly Queued[] {
  const others = list.filter((one) => one !== first);
  for (let at = others.length - 1; at > 0; at -= 1) {
    const other = Math.floor(random() * (at + 1));
    const [one, two] = [others[at], others[other]];
    if (one !== undefined && two !== undefined) [others[at], others[other]] = [two, one];
  }
  return first === undefined ? others : [first, ...others];
}

/** The place after `at`; `undefined` = it is the end. */
export function placeAfter(at: number, length: number, how: Repeat): number | undefined {
  if (at + 1 < length) return at + 1;
  return how === 'all' && length > 0 ? 0 : undefined;
}

/** Shuffles what follows, or puts the queue in its order again. */
export function toggleShuffle(): void {
  const now = queue.peek()[queueAt.peek()];
  isShuffled.value = !isShuffled.peek();
  queue.value = isShuffled.peek() ? shuffled(inOrder, now) : inOrder;
  queueAt.value = now === undefined ? -1 : queue.peek().indexOf(now);
}

/** Takes one out of the queue. */
export function unqueue(at: number): void {
  const gone = queue.peek()[at];
  inOrder = inOrder.filter((one) => one !== gone);
  queue.value = queue.peek().filter((one) => one !== gone);
  if (at < queueAt.peek()) queueAt.value -= 1;
}

/** Puts items into the queue; the one at `at` plays. */
export function fillQueue(items: readonly Queued[], at: number, shuffles: boolean): void {
  inOrder = items;
  isShuffled.value = shuffles;
  queue.value = shuffles ? shuffled(items, undefined) : items;
  queueAt.value = shuffles ? 0 : at;
}
