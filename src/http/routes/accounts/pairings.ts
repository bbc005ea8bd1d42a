import type { FastifyRequest } from 'fastify';
import type { Pairings } from '../../../people/accounts/index.ts';
import { householdOf } from '../../../platform/networks.ts';
import * as schema from '../../../contract/resources/accounts/pairings.ts';
import { routes } from '../../route.ts';
import { viewerOf } from '../../access.ts';
import { addressOf } from '../../client-address.ts';
import { deviceOf } from '../../device.ts';

/** Codes and secrets stand in bodies alone, so that no log of a proxy has them. */
const shared = { tag: 'auth', access: 'guest' } as const;

/** Pairing: a person who is signed in elsewhere lets a device in, such as a television. */
export const pairingRoutes = routes<{
  readonly pairings: Pairings;
}>(shared, (route, { pairings }) => {
  route('POST /api/auth/pairings', {
    access: 'nobody',
    operation: 'beginPairing',
    summary: 'Get a code that a person on another device accepts',
    body: schema.BeginPairingBody,
    created: schema.BegunPairingReply,
    handler: async ({ body, request }) => ({
      pairing: await pairings.begin(deviceOf(request, body.deviceName)),
    }),
  });

  route('POST /api/auth/pairings/claim', {
    access: 'nobody',
    session: 'opens',
    operation: 'claimPairing',
    summary: 'Ask whether the device was accepted; then the session, once',
    body: schema.ClaimBody,
    reply: schema.PairingStateReply,
    handler: ({ body, request }) => pairings.claim(body.secret, networkFor(request)),
  });

  route('POST /api/auth/pairings/look', {
    operation: 'lookAtPairing',
    summary: 'The device that shows a code; for sessions only',
    body: schema.PairingCodeBody,
    reply: schema.WaitingDeviceReply,
    handler: async ({ body, request }) => ({
      device: await pairings.look(decisionOf(request, body.code)),
    }),
  });

  route('POST /api/auth/pairings/accept', {
    operation: 'acceptPairing',
    summary: 'Sign me in on the device that shows a code; for sessions only',
    body: schema.AcceptPairingBody,
    handler: ({ body, request }) =>
      pairings.accept({ ...decisionOf(request, body.code), deviceName: body.deviceName }),
  });

  route('POST /api/auth/pairings/refuse', {
    operation: 'refusePairing',
    summary: 'Refuse the device that shows a code; for sessions only',
    body: schema.PairingCodeBody,
    handler: ({ body, request }) => pairings.refuse(decisionOf(request, body.code)),
  });
});

const networkFor = (request: FastifyRequest): string => householdOf(addressOf(request));

const decisionOf = (request: FastifyRequest, code: string) => ({
  code,
  viewer: viewerOf(request),
  network: networkFor(request),
});
