/**
 * What is to be delivered, and what was. A delivery is in the store before anything is sent, and moves
 * from one place to the next in one step: whatever happens to the server, it is in exactly one.
 */
import type { DeliveryStatus, Host } from '../../plugin-api/index.ts';
import type { Delivery } from './delivery.ts';
import { deliveriesOf, deliveryKey, dueKey, duesOf, healthKey, readDueKey } from './keys.ts';
import type { Health } from './webhook-store.ts';

/** A delivery that now stands otherwise. */
export interface Move {
  readonly from: DeliveryStatus;
  /** As it was. */
  readonly before: Delivery;
  readonly to: DeliveryStatus;
  readonly after: Delivery;
}

/** One page of what waits for its first attempt. */
export interface QueuePage {
  readonly deliveries: readonly Delivery[];
  /** Where the next page begins; `null` = this was the last. */
  readonly cursor: string | null;
}

/** All lanes hold a page at a time, of events that may be large. */
const pageSize = 20;

/** The next ones that wait for their first attempt, the oldest first. */
export async function readQueue(
  host: Host,
  webhookId: string,
  cursor: string | null,
): Promise<QueuePage> {
  const prefix = deliveriesOf('pending', webhookId);
  const page = await host.kv.scan({ prefix, cursor, limit: pageSize });
  return {
    deliveries: page.entries.map(({ value }) => value as Delivery),
    cursor: page.entries.at(-1)?.key ?? null,
  };
}

/** What is to be tried again soonest. */
export async function soonestDue(
  host: Host,
  webhookId: string,
): Promise<{ readonly key: string; readonly at: number; readonly id: string } | null> {
  const { keys } = await host.kv.list({ prefix: duesOf(webhookId), limit: 1 });
  const [key] = keys;
  return key === undefined ? null : { key, ...readDueKey(key) };
}

export async function findDelivery(
  host: Host,
  status: DeliveryStatus,
  webhookId: string,
  id: string,
): Promise<Delivery | null> {
  return (await host.kv.get({ key: deliveryKey(status, webhookId, id) })) as Delivery | null;
}

/** Stores how they stand now, and how the receiver fares: all of it or nothing. */
export async function settle(
  host: Host,
  webhookId: string,
  moves: readonly Move[],
  health: Health | null,
): Promise<void> {
  const healthEntry = health === null ? [] : [{ key: healthKey(webhookId), value: health }];
  if (moves.length === 0 && healthEntry.length === 0) return;
  await host.kv.batch({
    remove: moves.flatMap(({ from, before }) => keysOf(from, webhookId, before)),
    set: [...moves.flatMap(({ to, after }) => entriesOf(to, webhookId, after)), ...healthEntry],
  });
}

function keysOf(status: DeliveryStatus, webhookId: string, delivery: Delivery): readonly string[] {
  const key = deliveryKey(status, webhookId, delivery.id);
  return delivery.dueAt === null ? [key] : [key, dueKey(webhookId, delivery.dueAt, delivery.id)];
}

function entriesOf(status: DeliveryStatus, webhookId: string, delivery: Delivery) {
  const entry = { key: deliveryKey(status, webhookId, delivery.id), value: delivery };
  if (delivery.dueAt === null) return [entry];
  return [entry, { key: dueKey(webhookId, delivery.dueAt, delivery.id), value: null }];
}

/** How many of each kind are kept of a webhook. */
const kept = { delivered: 500, failed: 1000 } as const;

/** Forgets the oldest deliveries that are over, but so many. */
export async function prune(host: Host, webhookId: string): Promise<void> {
  for (const status of ['delivered', 'failed'] as const) {
    const prefix = deliveriesOf(status, webhookId);
    await host.kv.trim({ prefix, keep: kept[status] });
  }
}
