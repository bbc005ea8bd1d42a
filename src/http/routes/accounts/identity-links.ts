import { shortPage } from '../../short-list.ts';
import { fingerprintOf, type Identity } from '../../../people/identity/index.ts';
import { viewerOf } from '../../access.ts';
import type { Routes } from '../../http-app.ts';
import { IdParams, NoContent, ShortListQuery } from '../../../contract/resources/schema-parts.ts';
import {
  BeginLinkBody,
  ConfirmBody,
  LinkReply,
  LinksReply,
} from '../../../contract/resources/accounts/identity-links.ts';

const tags = ['identity'];
const config = { access: 'guest' } as const;

/** Links between users of this server and identities. */
export const identityLinkRoutes: Routes<{
  readonly identity: Pick<Identity, 'links' | 'serverId' | 'identityUrl'>;
}> = async (app, { identity: { links, serverId, identityUrl } }) => {
  app.post(
    '/api/identity/links',
    {
      config,
      schema: {
        operationId: 'createIdentityLink',
        summary: 'Start to link my identity',
        tags,
        body: BeginLinkBody,
        response: { 201: LinkReply },
      },
    },
    async (request, reply) => {
      const link = await links.begin(request.body.password ?? null, viewerOf(request));
      return reply.code(201).send({ link });
    },
  );

  app.get(
    '/api/identity/links',
    {
      config,
      schema: {
        operationId: 'listIdentityLinks',
        summary: 'List my links, or for an admin those of all users',
        tags,
        querystring: ShortListQuery,
        response: { 200: LinksReply },
      },
    },
    async (request) => {
      const list = await links.list(viewerOf(request));
      const { page, nextCursor } = shortPage(list, request.query, ({ id }) => id);
      const serverFingerprint = fingerprintOf(serverId);
      return { links: page, nextCursor, identityUrl, serverFingerprint };
    },
  );

  app.get(
    '/api/identity/links/:id',
    {
      config,
      schema: {
        operationId: 'getIdentityLink',
        summary: 'The state of a link',
        tags,
        params: IdParams,
        response: { 200: LinkReply },
      },
    },
    async (request) => ({ link: await links.get(request.params.id, viewerOf(request)) }),
  );

  app.post(
    '/api/identity/links/:id/confirm',
    {
      config,
      schema: {
        operationId: 'confirmIdentityLink',
        summary: 'Confirm the identity of a link',
        tags,
        params: IdParams,
        body: ConfirmBody,
        response: { 200: LinkReply },
      },
    },
    async (request) => {
      const { id } = request.params;
      return { link: await links.confirm(id, request.body, viewerOf(request)) };
    },
  );

  app.delete(
    '/api/identity/links/:id',
    {
      config: { ...config, writes: 'endsCredentials' },
      schema: {
        operationId: 'deleteIdentityLink',
        summary: 'Unlink an identity, which ends its sessions',
        tags,
        params: IdParams,
        response: { 204: NoContent },
      },
    },
    async (request, reply) => {
      await links.remove(request.params.id, viewerOf(request));
      return reply.code(204).send();
    },
  );
};
