import { beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { Type } from '@sinclair/typebox';
import { bearer, createTestApp } from '../../test/support/servers/http.ts';
import { systemClock } from '../platform/clock.ts';
import { viewerOf } from './access.ts';
import { mount, type HttpApp } from './http-app.ts';
import { createResponseCache } from './response-cache.ts';

let writes: number | null;
let now: number;
let readings: string[];
/** Reads wait for this. */
let hold: Promise<unknown>;
let app: HttpApp;

beforeEach(async () => {
  writes = 0;
  now = 0;
  readings = [];
  hold = Promise.resolve();
  const cache = createResponseCache({
    database: { writes: () => writes },
    maxBytes: 1000,
    clock: { ...systemClock, steady: { now: () => now } },
  });
  app = await createTestApp([
    mount(async (routes) => {
      routes.get(
        '/api/things',
        {
          config: { access: 'guest' },
          schema: {
            summary: 'Things',
            querystring: Type.Object({ of: Type.String() }),
            response: { 200: Type.Object({ of: Type.String(), no: Type.Number() }) },
          },
        },
        (request, reply) => {
          const { of } = request.query;
          const make = async () => {
            readings.push(of);
            const no = readings.length;
            await hold;
            if (of === 'wrong') throw new Error('It cannot be read.');
            return { of, no, secret: 'never told' };
          };
          const [viewer, isElsewhere] = [viewerOf(request), of.startsWith('elsewhere')];
          return cache.send(reply, {
            ...{ viewer, question: of, make },
            ...(isElsewhere && { maxAgeMs: 2000 }),
          });
        },
      );
    }, {}),
  ]);
  onTestFinished(() => app.close());
});

const ask = async (of: string, who = 'guest') => {
  const reply = await app.inject({ url: `/api/things?of=${of}`, headers: bearer(who) });
  return reply.json<{ readonly of: string; readonly no: number }>();
};

describe('cached responses', () => {
  test('are read once, cut to their schema, and sent again with the same headers', async () => {
    const url = '/api/things?of=ß';
    const first = await app.inject({ url, headers: bearer('guest') });
    const second = await app.inject({ url, headers: bearer('guest') });

    expect(first.json()).toEqual({ of: 'ß', no: 1 });
    expect(second.body).toBe(first.body);
    expect(second.headers['content-type']).toBe('application/json; charset=utf-8');
    expect(second.headers).toEqual({
      ...first.headers,
      'x-request-id': expect.any(String),
      date: expect.any(String),
    });
    expect(readings).toHaveLength(1);
  });

  test('are read again after any write', async () => {
    await ask('films');
    writes = 1;

    expect(await ask('films')).toEqual({ of: 'films', no: 2 });
  });

  test('are not kept when something was written during the read', async () => {
    const { promise, resolve } = Promise.withResolvers<undefined>();
    hold = promise;
    const before = ask('films');
    await expect.poll(() => readings).toHaveLength(1);
    writes = 1;
    const after = ask('films');
    await expect.poll(() => readings).toHaveLength(2);
    resolve(undefined);

    expect([(await before).no, (await after).no, (await ask('films')).no]).toEqual([1, 2, 2]);
  });

  test('are read once for concurrent requests', async () => {
    const { promise, resolve } = Promise.withResolvers<undefined>();
    hold = promise;
    const asked = [ask('films'), ask('films'), ask('films')];
    await expect.poll(() => readings).toHaveLength(1);
    resolve(undefined);

    expect((await Promise.all(asked)).map(({ no }) => no)).toEqual([1, 1, 1]);
  });

  test('are neither stored nor shared where the write version is unknown', async () => {
    writes = null;
    const { promise, resolve } = Promise.withResolvers<undefined>();
    hold = promise;
    const asked = [ask('films'), ask('films')];
    await expect.poll(() => readings).toHaveLength(2);
    resolve(undefined);

    expect(await Promise.all(asked)).toEqual([
      { of: 'films', no: 1 },
      { of: 'films', no: 2 },
    ]);
    expect(await ask('films')).toEqual({ of: 'films', no: 3 });
  });

  test('are not given to a viewer who may see something else, or for another request', async () => {
    await ask('films');

    expect((await ask('films', 'guest-of-films')).no).toBe(2);
    expect((await ask('films', 'admin')).no).toBe(3);
    expect((await ask('series')).no).toBe(4);
    expect((await ask('films')).no).toBe(1);
  });

  test('are not kept longer than allowed, if they depend on more than the database', async () => {
    for (const name of ['elsewhere', 'here']) await ask(name);
    now = 2000;
    expect((await ask('elsewhere')).no).toBe(1);
    now = 2001;

    expect((await ask('elsewhere')).no).toBe(3);
    expect((await ask('here')).no).toBe(2);
  });

  test('are not kept when the read failed', async () => {
    await ask('wrong');
    await ask('wrong');

    expect(readings).toEqual(['wrong', 'wrong']);
  });

  test('take a limited number of bytes; the least recently used is dropped first', async () => {
    const names = Array.from({ length: 10 }, (_, at) => `${at}${'x'.repeat(200)}`);
    for (const name of names) await ask(name);
    readings = [];

    for (const name of names.toReversed()) await ask(name);
    expect(readings.length).toBeGreaterThan(5);
    expect(readings.length).toBeLessThan(10);
  });
});
