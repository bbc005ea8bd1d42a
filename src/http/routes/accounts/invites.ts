import type { Invites, Reachability } from '../../../people/invites/index.ts';
import { AppError } from '../../../platform/errors.ts';
import { viewerOf } from '../../access.ts';
import { deviceOf } from '../../device.ts';
import type { Routes } from '../../http-app.ts';
import { IdParams, NoContent } from '../../../contract/resources/schema-parts.ts';
import {
  FreshInviteReply,
  InvitePreview,
  InvitesQuery,
  InvitesReply,
  LookBody,
  NewInvite,
  NonceParams,
  ReachableReply,
  RedeemBody,
  TokenAsIdParams,
  TokenParams,
  TokenRedeemBody,
} from '../../../contract/resources/accounts/invites.ts';
import { SignedInReply } from '../../../contract/resources/accounts/accounts.ts';

const tags = ['invites'];
const inviting = { access: 'admin' } as const;
const open = { access: 'nobody' } as const;
const entering = { access: 'nobody', session: 'opens' } as const;

/** What the routes of invites need. */
export interface InviteRouteParts {
  readonly invites: Invites;
  readonly reachability: Pick<Reachability, 'answerTo'>;
}

/** Invites: links by which people become users. */
export const inviteRoutes: Routes<InviteRouteParts> = async (app, { invites, reachability }) => {
  app.post(
    '/api/invites',
    {
      config: inviting,
      schema: {
        operationId: 'createInvite',
        summary: 'Make an invite',
        tags,
        body: NewInvite,
        response: { 201: FreshInviteReply },
      },
    },
    async (request, reply) =>
      reply.code(201).send(await invites.create(request.body, viewerOf(request))),
  );

  app.get(
    '/api/invites',
    {
      config: inviting,
      schema: {
        operationId: 'listInvites',
        summary: 'List invites, newest first',
        tags,
        querystring: InvitesQuery,
        response: { 200: InvitesReply },
      },
    },
    (request) => invites.list(viewerOf(request), request.query),
  );

  app.delete(
    '/api/invites/:id',
    {
      config: inviting,
      schema: {
        operationId: 'deleteInvite',
        summary: 'Revoke an invite',
        tags,
        params: IdParams,
        response: { 204: NoContent },
      },
    },
    async (request, reply) => {
      await invites.remove(request.params.id, viewerOf(request));
      return reply.code(204).send();
    },
  );

  app.post(
    '/api/invites/look',
    {
      config: open,
      schema: {
        operationId: 'previewInvite',
        summary: 'What an invite grants; the token is in the body, which proxies do not log',
        tags,
        body: LookBody,
        response: { 200: InvitePreview },
      },
    },
    async (request) => ({ invite: await invites.lookUp(request.body.token) }),
  );

  app.post(
    '/api/invites/redeem',
    {
      config: entering,
      schema: {
        operationId: 'redeemInvite',
        summary: 'Become a user and sign in; the token is in the body, which proxies do not log',
        tags,
        body: TokenRedeemBody,
        response: { 201: SignedInReply },
      },
    },
    async (request, reply) => {
      const { token, deviceName, ...who } = request.body;
      const device = deviceOf(request, deviceName);
      return reply.code(201).send(await invites.redeem(token, { ...who, device }));
    },
  );

  app.get(
    '/api/invites/:id',
    {
      config: open,
      schema: {
        operationId: 'previewInviteByPath',
        summary:
          'The same, with the token in the path: POST /api/invites/look keeps it out of logs',
        tags,
        params: TokenAsIdParams,
        response: { 200: InvitePreview },
      },
    },
    async (request) => ({ invite: await invites.lookUp(request.params.id) }),
  );

  app.post(
    '/api/invites/:token/redeem',
    {
      config: entering,
      schema: {
        operationId: 'redeemInviteByPath',
        summary:
          'The same, with the token in the path: POST /api/invites/redeem keeps it out of logs',
        tags,
        params: TokenParams,
        body: RedeemBody,
        response: { 201: SignedInReply },
      },
    },
    async (request, reply) => {
      const { deviceName, ...who } = request.body;
      const device = deviceOf(request, deviceName);
      return reply.code(201).send(await invites.redeem(request.params.token, { ...who, device }));
    },
  );

  app.get(
    '/api/reachable/:nonce',
    {
      config: open,
      schema: {
        operationId: 'answerReachabilityCheck',
        summary: 'How the server recognises itself at its public URL',
        tags,
        params: NonceParams,
        response: { 200: ReachableReply },
      },
    },
    async (request) => {
      const answer = reachability.answerTo(request.params.nonce);
      if (answer === null) throw new AppError('not_found', { what: 'Such a question' });
      return { answer };
    },
  );
};
