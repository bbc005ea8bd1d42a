import type { DeliveryStatus, EventEnvelope, WebhookDelivery } from '../../plugin-api/index.ts';

/** One event on its way to one webhook, as it is stored; how it stands is in its key. */
export interface Delivery {
  readonly id: string;
  readonly event: EventEnvelope;
  readonly createdAt: number;
  readonly attempts: number;
  readonly last: Attempt | null;
  /** When it is to be tried again; `null` = it is not in retry. */
  readonly dueAt: number | null;
}

/** How one attempt went. */
export interface Attempt {
  readonly at: number;
  readonly durationMs: number;
  /** What the receiver answered; `null` = nothing. */
  readonly status: number | null;
  /** `null` = it was taken. */
  readonly error: string | null;
}

/** A delivery of which nothing has been tried. */
export const freshDelivery = (id: string, event: EventEnvelope, now: number): Delivery => ({
  id,
  event,
  createdAt: now,
  attempts: 0,
  last: null,
  dueAt: null,
});

/** What the receiver reads. It is made anew for each attempt, and each time the same. */
export const bodyOf = ({ id, event: { type, timestamp, data } }: Delivery): string =>
  JSON.stringify({ id, type, timestamp, data });

const momentOf = (at: number | null): string | null =>
  at === null ? null : new Date(at).toISOString();

/** As admins see it. */
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
