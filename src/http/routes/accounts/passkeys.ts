import { shortPage } from '../../short-list.ts';
import type { Passkeys } from '../../../people/accounts/index.ts';
import { addressOf } from '../../client-address.ts';
import { viewerOf } from '../../access.ts';
import type { Routes } from '../../http-app.ts';
import { IdParams, NoContent, ShortListQuery } from '../../../contract/resources/schema-parts.ts';
import {
  BeginAddingBody,
  CreationOptionsReply,
  NewPasskeyBody,
  PasskeyReply,
  PasskeysReply,
  RenameBody,
  RequestOptionsReply,
} from '../../../contract/resources/accounts/passkeys.ts';

const tags = ['auth'];
const config = { access: 'guest' } as const;

/** Passkeys: keys in a device that replace the password, or complement it. */
export const passkeyRoutes: Routes<{ readonly passkeys: Passkeys }> = async (app, { passkeys }) => {
  app.post(
    '/api/auth/login/passkey/options',
    {
      config: { access: 'nobody' },
      schema: {
        operationId: 'getPasskeySignInOptions',
        summary: 'Options for a browser to use a passkey',
        tags,
        response: { 200: RequestOptionsReply },
      },
    },
    async (request) => ({ options: passkeys.beginSignIn(addressOf(request)) }),
  );

  app.get(
    '/api/auth/passkeys',
    {
      config,
      schema: {
        operationId: 'listPasskeys',
        summary: 'List my passkeys',
        tags,
        querystring: ShortListQuery,
        response: { 200: PasskeysReply },
      },
    },
    async (request) => {
      const list = await passkeys.list(viewerOf(request));
      const { page, nextCursor } = shortPage(list, request.query, ({ id }) => id);
      return { passkeys: page, nextCursor };
    },
  );

  app.post(
    '/api/auth/passkeys/options',
    {
      config,
      schema: {
        operationId: 'getPasskeyCreationOptions',
        summary: 'Options for a browser to create a passkey',
        tags,
        body: BeginAddingBody,
        response: { 200: CreationOptionsReply },
      },
    },
    async (request) => ({
      options: await passkeys.beginAdding(viewerOf(request), request.body.password ?? null),
    }),
  );

  app.post(
    '/api/auth/passkeys',
    {
      config,
      schema: {
        operationId: 'createPasskey',
        summary: 'Add the passkey that the browser created',
        tags,
        body: NewPasskeyBody,
        response: { 201: PasskeyReply },
      },
    },
    async (request, reply) =>
      reply.code(201).send({ passkey: await passkeys.add(viewerOf(request), request.body) }),
  );

  app.patch(
    '/api/auth/passkeys/:id',
    {
      config,
      schema: {
        operationId: 'renamePasskey',
        summary: 'Rename one of my passkeys',
        tags,
        params: IdParams,
        body: RenameBody,
        response: { 200: PasskeyReply },
      },
    },
    async (request) => {
      const { id } = request.params;
      return { passkey: await passkeys.rename(id, request.body.name, viewerOf(request)) };
    },
  );

  app.delete(
    '/api/auth/passkeys/:id',
    {
      config: { ...config, writes: 'endsCredentials' },
      schema: {
        operationId: 'deletePasskey',
        summary: 'Remove one of my passkeys',
        tags,
        params: IdParams,
        response: { 204: NoContent },
      },
    },
    async (request, reply) => {
      await passkeys.remove(request.params.id, viewerOf(request));
      return reply.code(204).send();
    },
  );
};
