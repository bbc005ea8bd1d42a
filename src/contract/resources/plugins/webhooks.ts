import { Type } from '@sinclair/typebox';
import {
  Body,
  Documented,
  Id,
  List,
  Named,
  Nullable,
  OneOf,
  Timestamp,
  Uri,
  nextCursor,
  pageQuery,
  type Wanted,
} from '../schema-parts.ts';

export const deliveryStatuses = ['pending', 'retrying', 'delivered', 'failed'] as const;

export const defaultEvents = [
  'library.*',
  'library.*.*',
  'job.*',
  'transcode.*',
  'plugin.*',
  'plugin.*.*',
  'notification.*',
  'playback.*',
  'collection.*',
  'scheduler.*',
  'backup.*',
  'server.*',
].join(',');

export const WebhookReply = Named(
  'Webhook',
  Type.Object(
    {
      id: Id,
      name: Type.String(),
      url: Uri(),
      secret: Type.String({
        description: 'Signs the deliveries; complete only in the answer that created it',
      }),
      events: Type.String({ description: 'Patterns of event names, comma-separated; `*` = all' }),
      enabled: Type.Boolean(),
      createdAt: Timestamp,
      updatedAt: Timestamp,
      reason: Type.Optional(
        Nullable(Type.String({ description: 'Why deliveries cannot go out now; not in lists' })),
      ),
    },
    { description: 'An address that receives events' },
  ),
);

export const WebhooksReply = Type.Object({ webhooks: List(WebhookReply), nextCursor });
export const WebhooksQuery = Type.Object(pageQuery);

const name = Type.String({ minLength: 1, maxLength: 100 });
const url = Documented(
  Type.String({ minLength: 1, maxLength: 2048, description: 'http or https' }),
  { format: 'uri' },
);
const secret = Type.String({
  minLength: 1,
  maxLength: 200,
  description: '`whsec_` and the base64 of 24 to 64 bytes; generated when absent',
});
const events = Type.String({
  minLength: 1,
  maxLength: 5000,
  description: 'Patterns of event names, comma-separated: `library.item.*,job.failed`; `*` = all',
});

export const NewWebhookBody = Named(
  'NewWebhook',
  Body({
    name,
    url,
    secret: Type.Optional(secret),
    events: Type.Optional(
      Type.String({
        ...events,
        description: `${events.description ?? ''}; when absent \`${defaultEvents}\``,
      }),
    ),
    enabled: Type.Optional(Type.Boolean()),
  }),
);

/** The input for a new webhook. */
export type NewWebhook = Wanted<typeof NewWebhookBody>;

export const ChangedWebhookBody = Named(
  'WebhookChanges',
  Body({
    name: Type.Optional(name),
    url: Type.Optional(url),
    secret: Type.Optional(secret),
    events: Type.Optional(events),
    enabled: Type.Optional(Type.Boolean()),
  }),
);

const Delivery = Named(
  'WebhookDelivery',
  Type.Object(
    {
      id: Type.String({ description: 'Of the event; the receiver sees it as `webhook-id`' }),
      event: Type.String(),
      status: OneOf(deliveryStatuses),
      attempts: Type.Integer(),
      createdAt: Timestamp,
      lastAttemptAt: Nullable(Timestamp),
      nextAttemptAt: Nullable(Timestamp),
      responseStatus: Nullable(Type.Integer({ description: 'The latest status of the receiver' })),
      durationMs: Nullable(Type.Number({ description: 'Of the last attempt' })),
      error: Nullable(Type.String({ description: 'Why the last attempt failed' })),
    },
    { description: 'An event for a webhook' },
  ),
);

export const DeliveryReply = Type.Object({ delivery: Delivery });
export const DeliveriesReply = Type.Object({ deliveries: List(Delivery), nextCursor });

export const DeliveriesQuery = Type.Object({
  status: Type.Optional(OneOf(deliveryStatuses)),
  ...pageQuery,
});

export const DeliveryParams = Type.Object({
  id: Type.String({ minLength: 1, maxLength: 200 }),
  deliveryId: Type.String({ minLength: 1, maxLength: 200 }),
});
