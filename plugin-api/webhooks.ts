/** Where events go, as the plugin with the capability `webhooks` keeps it. */
export interface Webhook {
  /** A UUID v7 of the server's. */
  readonly id: string;
  readonly name: string;
  readonly url: string;
  /** Comma-separated patterns of event names; `*` = every event. The server has checked it. */
  readonly events: string;
  readonly enabled: boolean;
  /** The name under which `host.secrets` has what deliveries are signed with; nobody sees its value. */
  readonly secretName: string;
  /** ISO 8601. */
  readonly createdAt: string;
  readonly updatedAt: string;
}

/** What may change of a webhook; what is absent stays. */
export type WebhookChanges = Partial<Pick<Webhook, 'name' | 'url' | 'events' | 'enabled'>> &
  Pick<Webhook, 'updatedAt'>;

/**
 * How a delivery stands: it waits for its first attempt, or for another one; a receiver has taken it;
 * it is given up, unless somebody has it delivered again.
 */
export type DeliveryStatus = 'pending' | 'retrying' | 'delivered' | 'failed';

/** One event on its way to one webhook. */
export interface WebhookDelivery {
  /** The event's id; the receiver sees it as `webhook-id`, in every attempt the same. */
  readonly id: string;
  /** The event's name. */
  readonly event: string;
  readonly status: DeliveryStatus;
  /** Attempts so far. */
  readonly attempts: number;
  /** ISO 8601: when the event was put into the outbox. */
  readonly createdAt: string;
  readonly lastAttemptAt: string | null;
  /** Before this moment there is no other attempt; `null` = none is planned, or it is its turn. */
  readonly nextAttemptAt: string | null;
  /** What the receiver answered last; `null` = nothing. */
  readonly responseStatus: number | null;
  /** Milliseconds that the last attempt took. */
  readonly durationMs: number | null;
  /** Why the last attempt failed. */
  readonly error: string | null;
}

/** Which deliveries of a webhook, the newest first. */
export interface DeliveriesInput {
  readonly id: string;
  readonly status?: DeliveryStatus;
  /** The delivery before the first of the page; absent = from the newest. */
  readonly after?: string;
  /** 1 to 500. */
  readonly limit: number;
}

/** A page of them. */
export interface DeliveriesPage {
  readonly deliveries: readonly WebhookDelivery[];
  readonly more: boolean;
}
