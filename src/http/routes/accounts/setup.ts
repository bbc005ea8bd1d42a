import type { Setup } from '../../../people/accounts/index.ts';
import { SignedInReply } from '../../../contract/resources/accounts/accounts.ts';
import * as schema from '../../../contract/resources/accounts/setup.ts';
import { routes } from '../../route.ts';
import { deviceOf } from '../../device.ts';

const shared = { tag: 'auth', access: 'nobody' } as const;

/** The first start: the token of the setup link creates the first admin. */
export const setupRoutes = routes<{ readonly setup: Setup }>(shared, (route, { setup }) => {
  route('GET /api/setup', {
    operation: 'getSetupState',
    summary: 'Whether the server has no user yet',
    reply: schema.SetupState,
    handler: async () => ({ isNeeded: await setup.isNeeded() }),
  });

  route('POST /api/setup', {
    session: 'opens',
    operation: 'setUpServer',
    summary: 'Make the first admin and sign in',
    body: schema.SetupBody,
    created: SignedInReply,
    handler: async ({ body, request }) => {
      const { deviceName, ...first } = body;
      return setup.complete(first, deviceOf(request, deviceName));
    },
  });
});
