import type { Invites, Reachability } from '../../../people/invites/index.ts';
import { AppError } from '../../../platform/errors.ts';
import * as schema from '../../../contract/resources/accounts/invites.ts';
import { SignedInReply } from '../../../contract/resources/accounts/accounts.ts';
import { routes } from '../../route.ts';
import { deviceOf } from '../../device.ts';

const shared = { tag: 'invites', access: 'nobody' } as const;

export interface InviteRouteParts {
  readonly invites: Invites;
  readonly reachability: Pick<Reachability, 'answerTo'>;
}

/** Invites: links by which people become users. */
export const inviteRoutes = routes<InviteRouteParts>(shared, (route, { invites, reachability }) => {
  route('POST /api/invites', {
    access: 'admin',
    operation: 'createInvite',
    summary: 'Make an invite',
    body: schema.NewInvite,
    created: schema.FreshInviteReply,
    handler: ({ body, viewer }) => invites.create(body, viewer),
  });

  route('GET /api/invites', {
    access: 'admin',
    operation: 'listInvites',
    summary: 'List invites, newest first',
    query: schema.InvitesQuery,
    reply: schema.InvitesReply,
    handler: ({ query, viewer }) => invites.list(viewer, query),
  });

  route('DELETE /api/invites/:id', {
    access: 'admin',
    operation: 'deleteInvite',
    summary: 'Revoke an invite',
    handler: ({ params, viewer }) => invites.remove(params.id, viewer),
  });

  route('POST /api/invites/look', {
    operation: 'previewInvite',
    summary: 'What an invite grants; the token is in the body, which proxies do not log',
    body: schema.LookBody,
    reply: schema.InvitePreview,
    handler: async ({ body }) => ({ invite: await invites.lookUp(body.token) }),
  });

  route('POST /api/invites/redeem', {
    session: 'opens',
    operation: 'redeemInvite',
    summary: 'Become a user and sign in; the token is in the body, which proxies do not log',
    body: schema.TokenRedeemBody,
    created: SignedInReply,
    handler: async ({ body, request }) => {
      const { token, deviceName, ...who } = body;
      const device = deviceOf(request, deviceName);
      return invites.redeem(token, { ...who, device });
    },
  });

  route('GET /api/invites/:id', {
    operation: 'previewInviteByPath',
    summary: 'The same, with the token in the path: POST /api/invites/look keeps it out of logs',
    params: schema.TokenAsIdParams,
    reply: schema.InvitePreview,
    handler: async ({ params }) => ({ invite: await invites.lookUp(params.id) }),
  });

  route('POST /api/invites/:token/redeem', {
    session: 'opens',
    operation: 'redeemInviteByPath',
    summary: 'The same, with the token in the path: POST /api/invites/redeem keeps it out of logs',
    body: schema.RedeemBody,
    created: SignedInReply,
    handler: async ({ params, body, request }) => {
      const { deviceName, ...who } = body;
      const device = deviceOf(request, deviceName);
      return invites.redeem(params.token, { ...who, device });
    },
  });

  route('GET /api/reachable/:nonce', {
    operation: 'answerReachabilityCheck',
    summary: 'How the server recognises itself at its public URL',
    params: schema.NonceParams,
    reply: schema.ReachableReply,
    handler: ({ params }) => {
      const answer = reachability.answerTo(params.nonce);
      if (answer === null) throw new AppError('not_found', { what: 'Such a question' });
      return { answer };
    },
  });
});
