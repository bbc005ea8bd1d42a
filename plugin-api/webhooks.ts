/** A webhook, as the plugin with the capability `webhooks` stores it. */
export interface Webhook {
  /** A UUID v7 of the server. */
  readonly id: string;
  readonly name: string;
  readonly url: string;
  /** Comma-separated patterns of event names; `*` = every event. The server has checked it. */
  readonly events: string;
  readonly enabled: boolean;
  /** The name of the signing secret in `host.secrets`. */
  readonly secretName: string;
  /** ISO 8601. */
  readonly createdAt: string;
  readonly updatedAt: string;
}

/** The changeable fields of a webhook; absent fields stay unchanged. */
export type WebhookChanges = Partial<Pick<Webhook, 'name' | 'url' | 'events' | 'enabled'>> &
  Pick<Webhook, 'updatedAt'>;

/**
 * The status of a delivery: it waits for its first attempt, or for another one; a receiver has
 * accepted it; or it was given up, until someone requests a redelivery.
 */
export type DeliveryStatus = 'pending' | 'retrying' | 'delivered' | 'failed';

/** The delivery of one event to one webhook. */
export interface WebhookDelivery {
  /** The event's id; the receiver sees it as `webhook-id`, the same in every attempt. */
  readonly id: string;
  /** The event's name. */
  readonly event: string;
  readonly status: DeliveryStatus;
  /** Attempts so far. */
  readonly attempts: number;
  /** ISO 8601: when the event was queued. */
  readonly createdAt: string;
  readonly lastAttemptAt: string | null;
  /** The earliest next attempt; `null` = none is planned, or it is due. */
  readonly nextAttemptAt: string | null;
  /** The last status of the receiver; `null` = none. */
  readonly responseStatus: number | null;
  /** Milliseconds that the last attempt took. */
  readonly durationMs: number | null;
  /** Why the last attempt failed. */
  readonly error: string | null;
}

/** Selects deliveries of a webhook, the newest first. */
export interface DeliveriesInput {
  readonly id: string;
  readonly status?: DeliveryStatus;
  /** The last delivery of the page before; absent = from the newest. */
  readonly after?: string;
  /** 1 to 500. */
  readonly limit: number;
}

/** A page of deliveries. */
export interface DeliveriesPage {
  readonly deliveries: readonly WebhookDelivery[];
  readonly more: boolean;
}
