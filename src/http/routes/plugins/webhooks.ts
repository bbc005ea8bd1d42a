import type { Webhooks } from '../../../plugins/webhooks/index.ts';
import { viewerOf } from '../../access.ts';
import type { Routes } from '../../http-app.ts';
import { IdParams, NoContent } from '../../../contract/resources/schema-parts.ts';
import {
  ChangedWebhookBody,
  DeliveriesQuery,
  DeliveriesReply,
  DeliveryParams,
  DeliveryReply,
  NewWebhookBody,
  WebhookReply,
  WebhooksQuery,
  WebhooksReply,
} from '../../../contract/resources/plugins/webhooks.ts';

const tags = ['webhooks'];
const config = { access: 'admin' } as const;
const params = IdParams;

/** Webhooks: addresses that receive events, and their deliveries. */
export const webhookRoutes: Routes<{ readonly webhooks: Webhooks }> = async (app, { webhooks }) => {
  app.get(
    '/api/webhooks',
    {
      config,
      schema: {
        operationId: 'listWebhooks',
        summary: 'All webhooks, the oldest first',
        tags,
        querystring: WebhooksQuery,
        response: { 200: WebhooksReply },
      },
    },
    (request) => webhooks.list(request.query),
  );

  app.post(
    '/api/webhooks',
    {
      config,
      schema: {
        operationId: 'createWebhook',
        summary: 'Make a webhook; only this answer has its secret',
        tags,
        body: NewWebhookBody,
        response: { 201: WebhookReply },
      },
    },
    async (request, reply) =>
      reply.code(201).send(await webhooks.create(request.body, viewerOf(request))),
  );

  app.get(
    '/api/webhooks/:id',
    {
      config,
      schema: {
        operationId: 'getWebhook',
        summary: 'A webhook',
        tags,
        params,
        response: { 200: WebhookReply },
      },
    },
    (request) => webhooks.get(request.params.id),
  );

  app.patch(
    '/api/webhooks/:id',
    {
      config,
      schema: {
        operationId: 'updateWebhook',
        summary: 'Change a webhook',
        tags,
        params,
        body: ChangedWebhookBody,
        response: { 200: WebhookReply },
      },
    },
    (request) => webhooks.update(request.params.id, request.body, viewerOf(request)),
  );

  app.delete(
    '/api/webhooks/:id',
    {
      config,
      schema: {
        operationId: 'deleteWebhook',
        summary: 'Remove a webhook with its waiting deliveries',
        tags,
        params,
        response: { 204: NoContent },
      },
    },
    async (request, reply) => {
      await webhooks.remove(request.params.id, viewerOf(request));
      return reply.code(204).send();
    },
  );

  app.post(
    '/api/webhooks/:id/test',
    {
      config,
      schema: {
        operationId: 'testWebhook',
        summary: 'Send the event webhook.test, once, and give the result',
        tags,
        params,
        response: { 200: DeliveryReply },
      },
    },
    async (request) => ({
      delivery: await webhooks.test(request.params.id, viewerOf(request)),
    }),
  );

  app.get(
    '/api/webhooks/:id/deliveries',
    {
      config,
      schema: {
        operationId: 'listWebhookDeliveries',
        summary: 'Deliveries of a webhook, the newest first',
        tags,
        params,
        querystring: DeliveriesQuery,
        response: { 200: DeliveriesReply },
      },
    },
    (request) => webhooks.deliveries(request.params.id, request.query),
  );

  app.post(
    '/api/webhooks/:id/deliveries/:deliveryId/redeliver',
    {
      config,
      schema: {
        operationId: 'redeliverWebhook',
        summary: 'Deliver it again, from the first attempt and with the same id',
        tags,
        params: DeliveryParams,
        response: { 200: DeliveryReply },
      },
    },
    async (request) => {
      const { id, deliveryId } = request.params;
      return { delivery: await webhooks.redeliver(id, deliveryId, viewerOf(request)) };
    },
  );
};
