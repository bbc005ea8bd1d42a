import type { FastifyReply } from 'fastify';
import { AppError } from '../../../platform/errors.ts';
import type { Licensing } from '../../../operations/license/index.ts';
import { viewerOf } from '../../access.ts';
import type { Routes } from '../../http-app.ts';
import { NoContent } from '../../../contract/resources/schema-parts.ts';
import {
  ActivatedReply,
  ActivationConflict,
  ActivationFailure,
  LicenseReply,
  NewLicense,
} from '../../../contract/resources/operations/license.ts';

const tags = ['license'];
const admins = { access: 'admin' } as const;

/** A validation error has the form of this route too. */
function inFormOfActivation(error: Error, _request: unknown, reply: FastifyReply): void {
  const isRefusedBody =
    (error instanceof AppError && error.code === 'invalid_request') ||
    ('statusCode' in error && error.statusCode === 400);
  if (!isRefusedBody) throw error;
  void reply.code(400).send({ ok: false, code: 'MALFORMED', message: error.message });
}

/** The license of the server. Its key is stored and never returned. */
export const licenseRoutes: Routes<{ readonly licensing: Licensing }> = async (
  app,
  { licensing },
) => {
  app.post(
    '/api/license/activate',
    {
      config: admins,
      errorHandler: inFormOfActivation,
      schema: {
        operationId: 'activateLicense',
        summary: 'Enter a license key; 409 when all of its seats are taken',
        tags,
        body: NewLicense,
        response: { 200: ActivatedReply, 400: ActivationFailure, 409: ActivationConflict },
      },
    },
    async (request, reply) => {
      const outcome = await licensing.activate(request.body.licenseKey, viewerOf(request));
      if (outcome.ok) return outcome;
      return 'conflict' in outcome ? reply.code(409).send(outcome) : reply.code(400).send(outcome);
    },
  );

  app.get(
    '/api/license',
    {
      config: admins,
      schema: {
        operationId: 'getLicense',
        summary: 'The state of the license; its key is masked',
        tags,
        response: { 200: LicenseReply },
      },
    },
    async () => ({ license: await licensing.get() }),
  );

  app.delete(
    '/api/license',
    {
      config: admins,
      schema: {
        operationId: 'removeLicense',
        summary: 'Remove the license from this server, and free its seat',
        tags,
        response: { 204: NoContent },
      },
    },
    async (request, reply) => {
      await licensing.deactivate(viewerOf(request));
      return reply.code(204).send();
    },
  );
};
