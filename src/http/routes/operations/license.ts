import type { FastifyReply } from 'fastify';
import { AppError } from '../../../platform/errors.ts';
import type { Licensing } from '../../../operations/license/index.ts';
import * as schema from '../../../contract/resources/operations/license.ts';
import { routes } from '../../route.ts';

const shared = { tag: 'license', access: 'admin' } as const;

/** A validation error has the form of this route too. */
function inFormOfActivation(error: Error, _request: unknown, reply: FastifyReply): void {
  const isRefusedBody =
    (error instanceof AppError && error.code === 'invalid_request') ||
    ('statusCode' in error && error.statusCode === 400);
  if (!isRefusedBody) throw error;
  void reply.code(400).send({ ok: false, code: 'MALFORMED', message: error.message });
}

/** The license of the server. Its key is stored and never returned. */
export const licenseRoutes = routes<{
  readonly licensing: Licensing;
}>(shared, (route, { licensing }) => {
  route('POST /api/license/activate', {
    errorHandler: inFormOfActivation,
    operation: 'activateLicense',
    summary: 'Enter a license key; 409 when all of its seats are taken',
    body: schema.NewLicense,
    replies: {
      200: schema.ActivatedReply,
      400: schema.ActivationFailure,
      409: schema.ActivationConflict,
    },
    handler: async ({ body, viewer, reply }) => {
      const outcome = await licensing.activate(body.licenseKey, viewer);
      if (outcome.ok) return outcome;
      return 'conflict' in outcome ? reply.code(409).send(outcome) : reply.code(400).send(outcome);
    },
  });

  route('GET /api/license', {
    operation: 'getLicense',
    summary: 'The state of the license; its key is masked',
    reply: schema.LicenseReply,
    handler: async () => ({ license: await licensing.get() }),
  });

  route('DELETE /api/license', {
    operation: 'removeLicense',
    summary: 'Remove the license from this server, and free its seat',
    handler: ({ viewer }) => licensing.deactivate(viewer),
  });
});
