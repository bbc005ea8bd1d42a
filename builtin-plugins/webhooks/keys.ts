/**
 * The keys of the store. A delivery is under exactly one of four prefixes, which is its state; then
 * follow the webhook and the event's id, a UUID v7, so keys sort by time. A delivery in retry has a
 * second key, which sorts by its next attempt.
 */
import type { DeliveryStatus } from '../../plugin-api/index.ts';

const beginnings: Readonly<Record<DeliveryStatus, string>> = {
  pending: 'queue',
  retrying: 'retry',
  delivered: 'done',
  failed: 'dead',
};

export const statuses = ['pending', 'retrying', 'delivered', 'failed'] as const;

/** The prefix of all webhooks. */
export const hooks = 'hook/';

export const hookKey = (webhookId: string): string => `${hooks}${webhookId}`;

/** The state of the receiver of a webhook. */
export const healthKey = (webhookId: string): string => `health/${webhookId}`;

/** Marks a removed webhook that may have left data. */
export const gone = 'gone/';

export const removedKey = (webhookId: string): string => `${gone}${webhookId}`;

/** The ids of the last events that were taken in. */
export const takenKey = 'taken';

/** All deliveries of a webhook in that state. */
export const deliveriesOf = (status: DeliveryStatus, webhookId: string): string =>
  `${beginnings[status]}/${webhookId}/`;

export const deliveryKey = (status: DeliveryStatus, webhookId: string, id: string): string =>
  `${deliveriesOf(status, webhookId)}${id}`;

/** All deliveries in retry, the soonest first. */
export const duesOf = (webhookId: string): string => `due/${webhookId}/`;

/** Times are written with as many digits as the last one that a `Date` can hold. */
export const dueKey = (webhookId: string, at: number, id: string): string =>
  `${duesOf(webhookId)}${String(at).padStart(16, '0')}/${id}`;

/** The time and the id in such a key. */
export function readDueKey(key: string): { readonly at: number; readonly id: string } {
  const [, , at = '0', id = ''] = key.split('/');
  return { at: Number(at), id };
}

/** All data of a webhook except the webhook itself. */
export const allOf = (webhookId: string): readonly string[] => [
  ...statuses.map((status) => deliveriesOf(status, webhookId)),
  duesOf(webhookId),
];
