import type { HookSubscription } from '../../../plugin-api/index.ts';
import { KernelError } from '../../errors.ts';
import { quoted } from '../../foreign-text.ts';

/** One plugin's place in the chain of one hook. */
export interface Subscriber {
  readonly pluginId: string;
  readonly order: number;
  readonly requiresLocalFile: boolean;
  /** Its deltas are dropped. */
  readonly isObserver: boolean;
  /** False after its undo; a running chain then skips it. */
  isActive: boolean;
}

const defaultOrder = 50;

/** Parses a subscription; throws `invalid_argument` for an order outside 0 to 100. */
export function toSubscriber(
  pluginId: string,
  subscription: HookSubscription,
  isObserver = false,
): Subscriber {
  const { name, order = defaultOrder, requiresLocalFile = false } = subscription;
  if (!Number.isInteger(order) || order < 0 || order > 100) {
    const what = `Hook order ${order} of ${quoted(name)} is not an integer from 0 to 100.`;
    throw new KernelError('invalid_argument', what);
  }
  return { pluginId, order, requiresLocalFile, isObserver, isActive: true };
}

/** Ascending order; equal orders by plugin id. */
export function inOrder(subscribers: Iterable<Subscriber>): readonly Subscriber[] {
  return [...subscribers].sort(
    (a, b) => a.order - b.order || (a.pluginId < b.pluginId ? -1 : Number(a.pluginId > b.pluginId)),
  );
}
