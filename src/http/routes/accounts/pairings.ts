import type { FastifyRequest } from 'fastify';
import type { Pairings } from '../../../people/accounts/index.ts';
import { viewerOf } from '../../access.ts';
import { householdOf } from '../../../platform/networks.ts';
import { addressOf } from '../../client-address.ts';
import { deviceOf } from '../../device.ts';
import type { Routes } from '../../http-app.ts';
import { NoContent } from '../../../contract/resources/schema-parts.ts';
import {
  AcceptPairingBody,
  BeginPairingBody,
  BegunPairingReply,
  ClaimBody,
  PairingCodeBody,
  PairingStateReply,
  WaitingDeviceReply,
} from '../../../contract/resources/accounts/pairings.ts';

const tags = ['auth'];
/** Codes and secrets stand in bodies alone, so that no log of a proxy has them. */
const deciding = { access: 'guest' } as const;

/** Pairing: a person who is signed in elsewhere lets a device in, such as a television. */
export const pairingRoutes: Routes<{ readonly pairings: Pairings }> = async (app, { pairings }) => {
  app.post(
    '/api/auth/pairings',
    {
      config: { access: 'nobody' },
      schema: {
        operationId: 'beginPairing',
        summary: 'Get a code that a person on another device accepts',
        tags,
        body: BeginPairingBody,
        response: { 201: BegunPairingReply },
      },
    },
    async (request, reply) => {
      const device = deviceOf(request, request.body.deviceName);
      return reply.code(201).send({ pairing: pairings.begin(device) });
    },
  );

  app.post(
    '/api/auth/pairings/claim',
    {
      config: { access: 'nobody', session: 'opens' },
      schema: {
        operationId: 'claimPairing',
        summary: 'Ask whether the device was accepted; then the session, once',
        tags,
        body: ClaimBody,
        response: { 200: PairingStateReply },
      },
    },
    async (request) => pairings.claim(request.body.secret, networkFor(request)),
  );

  app.post(
    '/api/auth/pairings/look',
    {
      config: deciding,
      schema: {
        operationId: 'lookAtPairing',
        summary: 'The device that shows a code; for sessions only',
        tags,
        body: PairingCodeBody,
        response: { 200: WaitingDeviceReply },
      },
    },
    async (request) => ({ device: pairings.look(decisionOf(request, request.body.code)) }),
  );

  app.post(
    '/api/auth/pairings/accept',
    {
      config: deciding,
      schema: {
        operationId: 'acceptPairing',
        summary: 'Sign me in on the device that shows a code; for sessions only',
        tags,
        body: AcceptPairingBody,
        response: { 204: NoContent },
      },
    },
    async (request, reply) => {
      const { code, deviceName } = request.body;
      await pairings.accept({ ...decisionOf(request, code), deviceName });
      return reply.code(204).send();
    },
  );

  app.post(
    '/api/auth/pairings/refuse',
    {
      config: deciding,
      schema: {
        operationId: 'refusePairing',
        summary: 'Refuse the device that shows a code; for sessions only',
        tags,
        body: PairingCodeBody,
        response: { 204: NoContent },
      },
    },
    async (request, reply) => {
      pairings.refuse(decisionOf(request, request.body.code));
      return reply.code(204).send();
    },
  );
};

const networkFor = (request: FastifyRequest): string => householdOf(addressOf(request));

const decisionOf = (request: FastifyRequest, code: string) => ({
  code,
  viewer: viewerOf(request),
  network: networkFor(request),
});
