import type { FastifyRequest } from 'fastify';
import { causeIn } from '../../../platform/cause-text.ts';
import type { UpdateStatus, Updates } from '../../../operations/updates/index.ts';
import { viewerOf } from '../../access.ts';
import type { Routes } from '../../http-app.ts';
import { UpdateBody, UpdateReply } from '../../../contract/resources/operations/updates.ts';

const tags = ['operations'];
const config = { access: 'admin' } as const;
const response = { 200: UpdateReply };

/** Whether there is a newer version. */
export const updateRoutes: Routes<{ readonly updates: Updates }> = async (app, { updates }) => {
  app.get(
    '/api/updates',
    {
      config,
      schema: {
        operationId: 'getUpdate',
        summary: 'What is known of newer versions',
        tags,
        response,
      },
    },
    async (request) => inLocaleOf(request, await updates.status()),
  );

  app.post(
    '/api/updates/check',
    {
      config,
      schema: {
        operationId: 'checkForUpdate',
        summary: 'Ask the update service now',
        tags,
        response,
      },
    },
    async (request) => inLocaleOf(request, await updates.check()),
  );

  app.put(
    '/api/updates',
    {
      config,
      schema: {
        operationId: 'setUpdateChannel',
        summary: 'Choose a channel, or suppress a version',
        tags,
        body: UpdateBody,
        response,
      },
    },
    async (request) => inLocaleOf(request, await updates.change(request.body, viewerOf(request))),
  );
};

/** With the reason of the last failure in the language of the reader. */
const inLocaleOf = (request: FastifyRequest, status: UpdateStatus): UpdateStatus => ({
  ...status,
  lastError: causeIn(status.lastError, viewerOf(request).locale),
});
