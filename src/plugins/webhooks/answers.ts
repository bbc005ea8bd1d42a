/** Validates the replies of the plugin, which is not trusted. */
import type { DeliveriesPage, Webhook, WebhookDelivery } from '../../../plugin-api/index.ts';
import { AppError } from '../../platform/errors.ts';
import { deliveryStatuses } from '../../contract/resources/plugins/webhooks.ts';

type Fields = Readonly<Record<string, unknown>>;

/** The webhooks in a reply of `webhooks.list`. */
export const readWebhookList = (answer: unknown): readonly Webhook[] =>
  list(field(answer, 'webhooks')).map(readWebhook);

/** The webhook in a reply; `null` = there is none. */
export const readWebhookAnswer = (answer: unknown): Webhook | null =>
  answer === null ? null : readWebhook(field(answer, 'webhook'));

/** The delivery in a reply; `null` = there is none. */
export const readDeliveryAnswer = (answer: unknown): WebhookDelivery | null =>
  answer === null ? null : readDelivery(field(answer, 'delivery'));

export const readDeliveries = (answer: unknown): DeliveriesPage | null =>
  answer === null
    ? null
    : {
        deliveries: list(field(answer, 'deliveries')).map(readDelivery),
        more: field(answer, 'more') === true,
      };

export const readRemoved = (answer: unknown): boolean => field(answer, 'removed') === true;

function readWebhook(value: unknown): Webhook {
  return {
    id: text(value, 'id'),
    name: text(value, 'name'),
    url: text(value, 'url'),
    events: text(value, 'events'),
    enabled: field(value, 'enabled') === true,
    secretName: text(value, 'secretName'),
    createdAt: text(value, 'createdAt'),
    updatedAt: text(value, 'updatedAt'),
  };
}

function readDelivery(value: unknown): WebhookDelivery {
  const status = deliveryStatuses.find((one) => one === field(value, 'status'));
  if (status === undefined) return senseless();
  return {
    id: text(value, 'id'),
    event: text(value, 'event'),
    status,
    attempts: number(value, 'attempts'),
    createdAt: text(value, 'createdAt'),
    lastAttemptAt: orNull(value, 'lastAttemptAt', text),
    nextAttemptAt: orNull(value, 'nextAttemptAt', text),
    responseStatus: orNull(value, 'responseStatus', number),
    durationMs: orNull(value, 'durationMs', number),
    error: orNull(value, 'error', text),
  };
}

function orNull<Value>(
  value: unknown,
  key: string,
  read: (value: unknown, key: string) => Value,
): Value | null {
  return field(value, key) === null ? null : read(value, key);
}

function text(value: unknown, key: string): string {
  const found = field(value, key);
  return typeof found === 'string' ? found : senseless();
}

function number(value: unknown, key: string): number {
  const found = field(value, key);
  return typeof found === 'number' && Number.isFinite(found) ? found : senseless();
}

const list = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : senseless());

function field(value: unknown, key: string): unknown {
  if (typeof value !== 'object' || value === null) return senseless();
  return (value as Fields)[key];
}

function senseless(): never {
  throw new AppError('unavailable', {
    what: 'The webhooks plugin returned a malformed reply; its log may say more.',
  });
}
