import { fingerprintOf, type Identity } from '../../../people/identity/index.ts';
import { ShortListQuery } from '../../../contract/resources/schema-parts.ts';
import * as schema from '../../../contract/resources/accounts/identity-links.ts';
import { routes } from '../../route.ts';
import { shortReply } from '../../short-list.ts';

const shared = { tag: 'identity', access: 'guest' } as const;

/** Links between users of this server and identities. */
export const identityLinkRoutes = routes<{
  readonly identity: Pick<Identity, 'links' | 'serverId' | 'identityUrl'>;
}>(shared, (route, { identity: { links, serverId, identityUrl } }) => {
  route('POST /api/identity/links', {
    operation: 'createIdentityLink',
    summary: 'Start to link my identity',
    body: schema.BeginLinkBody,
    created: schema.LinkReply,
    handler: async ({ body, viewer }) => ({
      link: await links.begin(body.password ?? null, viewer),
    }),
  });

  route('GET /api/identity/links', {
    operation: 'listIdentityLinks',
    summary: 'List my links, or for an admin those of all users',
    query: ShortListQuery,
    reply: schema.LinksReply,
    handler: async ({ query, viewer }) => ({
      ...shortReply('links', await links.list(viewer), query),
      identityUrl,
      serverFingerprint: fingerprintOf(serverId),
    }),
  });

  route('GET /api/identity/links/:id', {
    operation: 'getIdentityLink',
    summary: 'The state of a link',
    reply: schema.LinkReply,
    handler: async ({ params, viewer }) => ({ link: await links.get(params.id, viewer) }),
  });

  route('POST /api/identity/links/:id/confirm', {
    operation: 'confirmIdentityLink',
    summary: 'Confirm the identity of a link',
    body: schema.ConfirmBody,
    reply: schema.LinkReply,
    handler: async ({ params, body, viewer }) => ({
      link: await links.confirm(params.id, body, viewer),
    }),
  });

  route('DELETE /api/identity/links/:id', {
    writes: 'endsCredentials',
    operation: 'deleteIdentityLink',
    summary: 'Unlink an identity, which ends its sessions',
    handler: ({ params, viewer }) => links.remove(params.id, viewer),
  });
});
