import { Type } from '@sinclair/typebox';
import { expect, onTestFinished, test } from 'vitest';
import { createTestApp } from '../../test/support/servers/http.ts';
import { KernelError } from '../../kernel/index.ts';
import type { HttpApp } from './index.ts';

const routes = [
  (app: HttpApp) => {
    app.route({
      method: ['GET', 'POST'],
      url: '/api/films',
      config: { access: 'nobody' },
      schema: {
        summary: 'For the test',
        tags: ['test'],
        response: { 200: Type.Object({ ok: Type.Boolean() }) },
      },
      handler: async () => ({ ok: true }),
    });
  },
];

test('a request that changes something waits for the database, and one that reads does not', async () => {
  const gate = Promise.withResolvers<undefined>();
  let waits = 0;
  const app = await createTestApp(routes, {
    awaitReachable: () => {
      waits += 1;
      return gate.promise.then(() => undefined);
    },
  });
  onTestFinished(() => app.close());

  const written = app.inject({ method: 'POST', url: '/api/films' });
  const read = await app.inject('/api/films');
  expect([read.statusCode, waits]).toEqual([200, 1]);
  gate.resolve(undefined);

  expect((await written).statusCode).toBe(200);
});

test('a database that stays away is 503 with its code', async () => {
  const app = await createTestApp(routes, {
    awaitReachable: () => Promise.reject(new KernelError('storage_failed', 'It is away.')),
  });
  onTestFinished(() => app.close());

  const reply = await app.inject({ method: 'POST', url: '/api/films' });

  expect([reply.statusCode, reply.json()]).toEqual([
    503,
    { error: 'It is away.', code: 'storage_failed' },
  ]);
});
