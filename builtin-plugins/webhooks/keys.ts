/**
 * How the store is laid out. A delivery stands under exactly one of four beginnings, which say how it
 * stands; behind them come the webhook and the event's id, a UUID v7, so that keys sort by time. What
 * is to be tried again has a second key, which sorts by the moment.
 */
import type { DeliveryStatus } from '../../plugin-api/index.ts';

const beginnings: Readonly<Record<DeliveryStatus, string>> = {
  pending: 'queue',
  retrying: 'retry',
  delivered: 'done',
  failed: 'dead',
};

/** All of them. */
export const statuses = ['pending', 'retrying', 'delivered', 'failed'] as const;

/** Under which all webhooks stand. */
export const hooks = 'hook/';

export const hookKey = (webhookId: string): string => `${hooks}${webhookId}`;

/** How the receiver of a webhook fares. */
export const healthKey = (webhookId: string): string => `health/${webhookId}`;

/** Of a webhook that is gone, and of which something may be left. */
export const gone = 'gone/';

export const goneKey = (webhookId: string): string => `${gone}${webhookId}`;

/** The ids of the events that were taken in last. */
export const takenKey = 'taken';

/** All deliveries of a webhook that stand so. */
export const deliveriesOf = (status: DeliveryStatus, webhookId: string): string =>
  `${beginnings[status]}/${webhookId}/`;

export const deliveryKey = (status: DeliveryStatus, webhookId: string, id: string): string =>
  `${deliveriesOf(status, webhookId)}${id}`;

/** All that is to be tried again, the soonest first. */
export const duesOf = (webhookId: string): string => `due/${webhookId}/`;

/** Moments are written with as many digits as the last one that a `Date` can hold. */
export const dueKey = (webhookId: string, at: number, id: string): string =>
  `${duesOf(webhookId)}${String(at).padStart(16, '0')}/${id}`;

/** The moment and the id in such a key. */
export function readDueKey(key: string): { readonly at: number; readonly id: string } {
  const [, , at = '0', id = ''] = key.split('/');
  return { at: Number(at), id };
}

/** Everything of a webhook but the webhook itself. */
export const allOf = (webhookId: string): readonly string[] => [
  ...statuses.map((status) => deliveriesOf(status, webhookId)),
  duesOf(webhookId),
];
