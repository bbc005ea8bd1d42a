import type { DeliveryStatus, EventEnvelope, WebhookDelivery } from '../../plugin-api/index.ts';

/** One event for one webhook, as it is stored; its key has its state. */
export interface Delivery {
  readonly id: string;
  readonly event: EventEnvelope;
  readonly createdAt: number;
  readonly attempts: number;
  readonly last: Attempt | null;
  /** The time of the next attempt; `null` = it is not in retry. */
  readonly dueAt: number | null;
}

/** The result of one attempt. */
export interface Attempt {
  readonly at: number;
  readonly durationMs: number;
  /** The status of the receiver's answer; `null` = none. */
  readonly status: number | null;
  /** `null` = it was accepted. */
  readonly error: string | null;
}

/** A delivery without any attempt. */
export const freshDelivery = (id: string, event: EventEnvelope, now: number): Delivery => ({
  id,
  event,
  createdAt: now,
  attempts: 0,
  last: null,
  dueAt: null,
});

/** The body of the request. Each attempt makes it again, with the same bytes. */
export const bodyOf = ({ id, event: { type, timestamp, data } }: Delivery): string =>
  JSON.stringify({ id, type, timestamp, data });

const momentOf = (at: number | null): string | null =>
  at === null ? null : new Date(at).toISOString();

/** The delivery as admins see it. */
export const shownDelivery = (delivery: Delivery, status: DeliveryStatus): WebhookDelivery => ({
  id: delivery.id,
  event: delivery.event.type,
  status,
  attempts: delivery.attempts,
  createdAt: new Date(delivery.createdAt).toISOString(),
  lastAttemptAt: momentOf(delivery.last?.at ?? null),
  nextAttemptAt: momentOf(delivery.dueAt),
  responseStatus: delivery.last?.status ?? null,
  durationMs: delivery.last?.durationMs ?? null,
  error: delivery.last?.error ?? null,
});
