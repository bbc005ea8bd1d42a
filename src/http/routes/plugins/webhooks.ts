import type { Webhooks } from '../../../plugins/webhooks/index.ts';
import * as schema from '../../../contract/resources/plugins/webhooks.ts';
import { routes } from '../../route.ts';

const shared = { tag: 'webhooks', access: 'admin' } as const;

/** Webhooks: addresses that receive events, and their deliveries. */
export const webhookRoutes = routes<{
  readonly webhooks: Webhooks;
}>(shared, (route, { webhooks }) => {
  route('GET /api/webhooks', {
    operation: 'listWebhooks',
    summary: 'All webhooks, the oldest first',
    query: schema.WebhooksQuery,
    reply: schema.WebhooksReply,
    handler: ({ query }) => webhooks.list(query),
  });

  route('POST /api/webhooks', {
    operation: 'createWebhook',
    summary: 'Make a webhook; only this answer has its secret',
    body: schema.NewWebhookBody,
    created: schema.WebhookReply,
    handler: ({ body, viewer }) => webhooks.create(body, viewer),
  });

  route('GET /api/webhooks/:id', {
    operation: 'getWebhook',
    summary: 'A webhook',
    reply: schema.WebhookReply,
    handler: ({ params }) => webhooks.get(params.id),
  });

  route('PATCH /api/webhooks/:id', {
    operation: 'updateWebhook',
    summary: 'Change a webhook',
    body: schema.ChangedWebhookBody,
    reply: schema.WebhookReply,
    handler: ({ params, body, viewer }) => webhooks.update(params.id, body, viewer),
  });

  route('DELETE /api/webhooks/:id', {
    operation: 'deleteWebhook',
    summary: 'Remove a webhook with its waiting deliveries',
    handler: ({ params, viewer }) => webhooks.remove(params.id, viewer),
  });

  route('POST /api/webhooks/:id/test', {
    operation: 'testWebhook',
    summary: 'Send the event webhook.test, once, and give the result',
    reply: schema.DeliveryReply,
    handler: async ({ params, viewer }) => ({ delivery: await webhooks.test(params.id, viewer) }),
  });

  route('GET /api/webhooks/:id/deliveries', {
    operation: 'listWebhookDeliveries',
    summary: 'Deliveries of a webhook, the newest first',
    query: schema.DeliveriesQuery,
    reply: schema.DeliveriesReply,
    handler: ({ params, query }) => webhooks.deliveries(params.id, query),
  });

  route('POST /api/webhooks/:id/deliveries/:deliveryId/redeliver', {
    operation: 'redeliverWebhook',
    summary: 'Deliver it again, from the first attempt and with the same id',
    reply: schema.DeliveryReply,
    handler: async ({ params, viewer }) => ({
      delivery: await webhooks.redeliver(params.id, params.deliveryId, viewer),
    }),
  });
});
