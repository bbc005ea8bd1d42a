import { Type } from '@sinclair/typebox';
import { beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { bearer, createTestApp } from '../../test/support/servers/http.ts';
import { Body } from '../contract/resources/schema-parts.ts';
import { AppError } from '../platform/errors.ts';
import { mount, type HttpApp } from './http-app.ts';
import { routes } from './route.ts';

const Thing = Type.Object({ thing: Type.String() });

const things = routes<{ readonly names: string[] }>(
  { tag: 'things', access: 'user' },
  (route, { names }) => {
    route('GET /api/things/:id/parts/:partId', {
      access: 'guest',
      operation: 'getPart',
      summary: 'One part',
      query: Type.Object({ suffix: Type.Optional(Type.String()) }),
      reply: Thing,
      handler: ({ params, query, viewer }) => ({
        thing: `${viewer.role} ${params.id} ${params.partId}${query.suffix ?? ''}`,
      }),
    });

    route('POST /api/things', {
      operation: 'createThing',
      summary: 'Make a thing',
      body: Body({ name: Type.String() }),
      created: Thing,
      handler: async ({ body }) => {
        if (names.includes(body.name)) throw new AppError('conflict', { what: 'It is there.' });
        names.push(body.name);
        return { thing: body.name };
      },
    });

    route('DELETE /api/things/:id', {
      operation: 'deleteThing',
      summary: 'Remove a thing',
      handler: ({ params }) => names.splice(names.indexOf(params.id), 1),
    });
  },
);

describe('a route', () => {
  let app: HttpApp;
  let names: string[];

  beforeEach(async () => {
    names = ['old'];
    app = await createTestApp([mount(things, { names })]);
    onTestFinished(() => app.close());
  });

  test('has its path, its query and its viewer', async () => {
    const url = '/api/things/7/parts/8?suffix=9';

    const reply = await app.inject({ url, headers: bearer('guest') });

    expect([reply.statusCode, reply.json()]).toEqual([200, { thing: 'guest 7 89' }]);
  });

  test('refuses a name in its path that is too long', async () => {
    const url = `/api/things/${'x'.repeat(201)}/parts/8`;

    expect(await app.inject({ url, headers: bearer('guest') })).toMatchObject({ statusCode: 400 });
  });

  test('takes from its file who may call it, unless it says otherwise', async () => {
    const request = { method: 'DELETE', url: '/api/things/old', headers: bearer('guest') } as const;

    expect(await app.inject(request)).toMatchObject({ statusCode: 403 });
    expect(names).toEqual(['old']);
  });

  test('answers 201 with what it made, and not when it failed', async () => {
    const request = { method: 'POST', url: '/api/things', headers: bearer('user') } as const;
    const replies = [];

    for (const name of ['new', 'old'])
      replies.push(await app.inject({ ...request, payload: { name } }));

    expect(replies.map(({ statusCode }) => statusCode)).toEqual([201, 409]);
    expect(replies[0]?.json()).toEqual({ thing: 'new' });
  });

  test('without a reply answers 204 with an empty body, also when its handler gives something', async () => {
    const request = { method: 'DELETE', url: '/api/things/old', headers: bearer('user') } as const;

    expect(await app.inject(request)).toMatchObject({ statusCode: 204, payload: '' });
    expect(names).toEqual([]);
  });
});
