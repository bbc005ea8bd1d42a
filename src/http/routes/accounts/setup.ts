import type { Setup } from '../../../people/accounts/index.ts';
import { deviceOf } from '../../device.ts';
import type { Routes } from '../../http-app.ts';
import { SignedInReply } from '../../../contract/resources/accounts/accounts.ts';
import { SetupBody, SetupState } from '../../../contract/resources/accounts/setup.ts';

const tags = ['auth'];
const config = { access: 'nobody' } as const;

/** The first start: the token of the setup link creates the first admin. */
export const setupRoutes: Routes<{ readonly setup: Setup }> = async (app, { setup }) => {
  app.get(
    '/api/setup',
    {
      config,
      schema: {
        operationId: 'getSetupState',
        summary: 'Whether the server has no user yet',
        tags,
        response: { 200: SetupState },
      },
    },
    async () => ({ isNeeded: await setup.isNeeded() }),
  );

  app.post(
    '/api/setup',
    {
      config: { ...config, session: 'opens' },
      schema: {
        operationId: 'setUpServer',
        summary: 'Make the first admin and sign in',
        tags,
        body: SetupBody,
        response: { 201: SignedInReply },
      },
    },
    async (request, reply) => {
      const { deviceName, ...first } = request.body;
      return reply.code(201).send(await setup.complete(first, deviceOf(request, deviceName)));
    },
  );
};
