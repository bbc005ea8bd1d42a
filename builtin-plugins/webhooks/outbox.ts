/**
 * Deliveries that wait, and finished ones. A delivery is in the store before anything is sent, and
 * changes its state in one transaction: also after a crash it has exactly one state.
 */
import type { DeliveryStatus, Host } from '../../plugin-api/index.ts';
import type { Delivery } from './delivery.ts';
import { deliveriesOf, deliveryKey, dueKey, duesOf, healthKey, readDueKey } from './keys.ts';
import type { Health } from './webhook-store.ts';

/** A delivery with a new state. */
export interface Move {
  readonly from: DeliveryStatus;
  /** Its state before. */
  readonly before: Delivery;
  readonly to: DeliveryStatus;
  readonly after: Delivery;
}

/** One page of deliveries that wait for their first attempt. */
export interface QueuePage {
  readonly deliveries: readonly Delivery[];
  /** Where the next page begins; `null` = this was the last. */
  readonly cursor: string | null;
}

/** All lanes hold a page at a time, and events may be large. */
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

/** The deliveries in retry that are due soonest. */
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

/** Stores the new states, and the state of the receiver, in one transaction. */
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

/** Makes all deliveries in retry due now; they are attempted in the order of their events. */
export async function wakeRetrying(host: Host, webhookId: string, now: number): Promise<void> {
  const prefix = deliveriesOf('retrying', webhookId);
  let cursor: string | null = null;
  do {
    const page: readonly { readonly key: string; readonly value: unknown }[] = (
      await host.kv.scan({ prefix, cursor, limit: pageSize })
    ).entries;
    const waiting = page
      .map(({ value }) => value as Delivery)
      .filter(({ dueAt }) => dueAt !== null && dueAt !== now);
    const moves = waiting.map((before): Move => {
      const after = { ...before, dueAt: now };
      return { from: 'retrying', before, to: 'retrying', after };
    });
    await settle(host, webhookId, moves, null);
    cursor = page.at(-1)?.key ?? null;
  } while (cursor !== null);
}

/** How many finished deliveries of each kind are kept for a webhook. */
const kept = { delivered: 500, failed: 1000 } as const;

/** Deletes the oldest finished deliveries beyond these numbers. */
export async function prune(host: Host, webhookId: string): Promise<void> {
  for (const status of ['delivered', 'failed'] as const) {
    const prefix = deliveriesOf(status, webhookId);
    await host.kv.trim({ prefix, keep: kept[status] });
  }
}
