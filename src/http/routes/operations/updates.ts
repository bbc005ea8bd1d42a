import type { Viewer } from '../../../people/viewer/index.ts';
import { causeIn } from '../../../platform/cause-text.ts';
import type { Updates } from '../../../operations/updates/index.ts';
import * as schema from '../../../contract/resources/operations/updates.ts';
import { routes } from '../../route.ts';
import type { UpdateStatus } from '../../../contract/resources/operations/updates.ts';

const shared = { tag: 'operations', access: 'admin' } as const;

/** Whether there is a newer version. */
export const updateRoutes = routes<{ readonly updates: Updates }>(shared, (route, { updates }) => {
  route('GET /api/updates', {
    operation: 'getUpdate',
    summary: 'What is known of newer versions',
    reply: schema.UpdateReply,
    handler: async ({ viewer }) => inLocaleOf(viewer, await updates.status()),
  });

  route('POST /api/updates/check', {
    operation: 'checkForUpdate',
    summary: 'Ask the update service now',
    reply: schema.UpdateReply,
    handler: async ({ viewer }) => inLocaleOf(viewer, await updates.check()),
  });

  route('PUT /api/updates', {
    operation: 'setUpdateChannel',
    summary: 'Choose a channel, or suppress a version',
    body: schema.UpdateBody,
    reply: schema.UpdateReply,
    handler: async ({ body, viewer }) => inLocaleOf(viewer, await updates.change(body, viewer)),
  });
});

/** With the reason of the last failure in the language of the reader. */
const inLocaleOf = ({ locale }: Viewer, status: UpdateStatus): UpdateStatus => ({
  ...status,
  lastError: causeIn(status.lastError, locale),
});
