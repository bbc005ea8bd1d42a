/** The routes of the pages for devices, servers, records and the key. */
import type { FastifyRequest } from 'fastify';
import type { Clock } from '../../../../src/platform/clock.ts';
import type { Devices } from '../passes/devices.ts';
import type { BrokerApp } from '../http/http-types.ts';
import type { Records } from '../revocations/records.ts';
import type { Rate } from '../service/request-rates.ts';
import type { Rotate } from '../revocations/rotations.ts';
import * as schemas from '../http/schemas.ts';
import type { Servers } from '../servers/servers.ts';
import { callerOf } from '../http/web-guard.ts';

export interface DeviceRoutesParts {
  readonly devices: Devices;
  readonly servers: Servers;
  readonly records: Records;
  readonly rotate: Rotate;
  readonly clock: Pick<Clock, 'now'>;
  /** Limits the signed changes of one account. */
  readonly changes: Rate;
}

const signedIn = { config: { caller: 'signed-in' } } as const;
const fresh = { config: { caller: 'fresh' } } as const;

/** Enough for the passes of many devices at once. */
const bodyLimit = 8 * 1024 * 1024;

/** Adds the routes. */
export function deviceRoutes(app: BrokerApp, parts: DeviceRoutesParts): void {
  const { devices, servers, records, rotate, clock, changes } = parts;
  const preValidation = async (request: FastifyRequest): Promise<void> =>
    changes.take(callerOf(request).user.userId);

  app.get('/web/servers', signedIn, (request) => servers.list(callerOf(request)));
  app.put(
    '/web/servers',
    { ...signedIn, bodyLimit, preValidation, schema: { body: schemas.PutServers } },
    async (request, reply) => {
      await servers.put(callerOf(request), request.body);
      return reply.code(204).send();
    },
  );
  app.get('/web/clients', signedIn, async (request) => ({
    clients: await devices.list(callerOf(request)),
    now: clock.now(),
  }));
  app.post(
    '/web/batch',
    { ...signedIn, bodyLimit, preValidation, schema: { body: schemas.Batch } },
    async (request, reply) => {
      await devices.keep(callerOf(request), request.body);
      return reply.code(204).send();
    },
  );
  app.get('/web/records', signedIn, async (request) => ({
    records: await records.list(callerOf(request)),
  }));
  app.post(
    '/web/records',
    { ...fresh, bodyLimit, preValidation, schema: { body: schemas.Records } },
    async (request, reply) => {
      await records.add(callerOf(request), request.body.records, request.body.lists);
      return reply.code(204).send();
    },
  );
  app.post(
    '/web/rotate',
    { ...fresh, bodyLimit, preValidation, schema: { body: schemas.Rotate } },
    async (request, reply) => {
      await rotate(callerOf(request), request.body);
      return reply.code(204).send();
    },
  );
}
