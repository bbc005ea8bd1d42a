import { Type } from '@sinclair/typebox';
import { describe, expect, onTestFinished, test } from 'vitest';
import { bearer, createTestApp } from '../../test/support/servers/http.ts';
import { KernelError, silentLog, type Log } from '../../kernel/index.ts';
import { AppError } from '../platform/errors.ts';
import type { HttpParts } from './app.ts';
import type { HttpApp, Mount } from './http-app.ts';
import {
  Body,
  CommaList,
  Flag,
  JsonMap,
  List,
  NoContent,
  OneOf,
  pageQuery,
} from '../contract/resources/schema-parts.ts';

const config = { access: 'guest' } as const;
const Echo = Type.Object({ heard: Type.Unknown() });
const as = bearer('admin');

async function open(routes: Mount, parts: Partial<HttpParts> = {}): Promise<HttpApp> {
  const app = await createTestApp([routes], parts);
  onTestFinished(() => app.close());
  return app;
}

/** A route that answers what it received. */
const echo: Mount = (app) => {
  const query = Type.Object({
    q: Type.Optional(Type.String({ minLength: 1 })),
    hidden: Type.Optional(Flag('')),
    status: Type.Optional(CommaList(OneOf(['pending', 'running']), '')),
    ...pageQuery,
  });
  const body = Body({
    name: Type.String({ minLength: 1 }),
    role: Type.Optional(OneOf(['admin', 'guest'])),
    count: Type.Optional(Type.Integer({ minimum: 1 })),
    nested: Type.Optional(Body({ deep: Type.Boolean() })),
    map: Type.Optional(JsonMap),
  });
  app.get(
    '/api/echo',
    { config, schema: { summary: 'Echo', querystring: query, response: { 200: Echo } } },
    async (request) => ({ heard: request.query }),
  );
  app.post(
    '/api/echo',
    { config, schema: { summary: 'Echo', body, response: { 200: Echo } } },
    async (request) => ({ heard: request.body }),
  );
};

/** A route that fails with this error. */
const failing =
  (error: unknown): Mount =>
  (app) => {
    app.get(
      '/api/fails',
      { config, schema: { summary: 'Fails', response: { 204: NoContent } } },
      async () => {
        throw error;
      },
    );
  };

async function heard(url: string): Promise<unknown> {
  const app = await open(echo);
  const reply = await app.inject({ url, headers: as });
  return reply.statusCode === 200 ? reply.json<{ heard: unknown }>().heard : reply.json();
}

describe('a query', () => {
  test.each([
    ['true', true],
    ['1', true],
    ['', true],
    ['false', false],
    ['0', false],
  ])('reads the flag hidden=%s as %s', async (text, value) => {
    expect(await heard(`/api/echo?hidden=${text}`)).toMatchObject({ hidden: value });
  });

  test('reads the bare name of a flag as true', async () => {
    expect(await heard('/api/echo?hidden')).toMatchObject({ hidden: true });
  });

  test('ignores unknown keys', async () => {
    expect(await heard('/api/echo?q=x&unknown=1&__proto__=2')).toEqual({ q: 'x', limit: 50 });
  });

  test('reads a comma-separated list', async () => {
    expect(await heard('/api/echo?status=pending,running')).toMatchObject({
      status: ['pending', 'running'],
    });
  });

  test.each([
    ['hidden=yes', 'query.hidden must be a boolean.'],
    ['limit=0', 'query.limit must be >= 1.'],
    ['limit=501', 'query.limit must be <= 500.'],
    ['limit=ten', 'query.limit must be an integer.'],
    ['limit=1.5', 'query.limit must be an integer.'],
    ['limit=1&limit=2', 'query.limit must be an integer.'],
    ['limit=1e2', 'query.limit must be an integer.'],
    ['q=', 'query.q must not be empty.'],
    ['status=pending,lost', 'query.status.1 must be one of "pending", "running".'],
    ['cursor=', 'query.cursor must not be empty.'],
  ])('?%s is 400 and names the field', async (query, error) => {
    expect(await heard(`/api/echo?${query}`)).toEqual({ error });
  });

  test('has 50 entries a page by default', async () => {
    expect(await heard('/api/echo')).toEqual({ limit: 50 });
    expect(await heard('/api/echo?limit=500')).toEqual({ limit: 500 });
  });
});

describe('a body', () => {
  const post = async (payload: string, type = 'application/json') => {
    const app = await open(echo);
    return app.inject({
      method: 'POST',
      url: '/api/echo',
      headers: { ...as, 'content-type': type },
      payload,
    });
  };

  test.each([
    ['{}', 'body.name is missing.'],
    ['[]', 'body must be an object.'],
    ['"text"', 'body must be an object.'],
    ['null', 'body must be an object.'],
    ['', 'body must be an object.'],
    ['{"name": 5}', 'body.name must be a string.'],
    ['{"name": "x", "count": "5"}', 'body.count must be an integer.'],
    ['{"name": "x", "colour": "red"}', 'body.colour is not a known key.'],
    [
      '{"name": "x", "nested": {"deep": true, "deeper": 1}}',
      'body.nested.deeper is not a known key.',
    ],
    ['{"name": "x", "role": "king"}', 'body.role must be one of "admin", "guest".'],
    ['{"name": ""}', 'body.name must not be empty.'],
    ['{"name": "x", "map": {"__proto__": {"isAdmin": true}}}', 'The body has a key __proto__.'],
    ['{"name": ', 'The body is not valid JSON.'],
  ])('%s is 400 and says why', async (payload, error) => {
    const reply = await post(payload);

    expect({ status: reply.statusCode, body: reply.json<unknown>() }).toEqual({
      status: 400,
      body: { error },
    });
  });

  test('that is nested 65 levels deep is 400', async () => {
    const deep = `${'{"map":'.repeat(65)}1${'}'.repeat(65)}`;

    const reply = await post(`{"name": "x", "map": ${deep}}`);

    expect(reply.json()).toEqual({ error: 'The body is nested more than 64 levels deep.' });
  });

  test('that is nested too deep is refused before it is parsed, so also one that does not end', async () => {
    const reply = await post('['.repeat(100_000));

    expect(reply.json()).toEqual({ error: 'The body is nested more than 64 levels deep.' });
  });

  test('that is not JSON by its type is 415', async () => {
    const reply = await post('name=x', 'application/x-www-form-urlencoded');

    expect(reply.statusCode).toBe(415);
    expect(reply.json()).toEqual({
      error: 'The body must be JSON, with the header Content-Type: application/json.',
    });
    expect((await post('{"name": "x"}', 'text/plain')).statusCode).toBe(415);
  });

  test('above 1 MiB is 413', async () => {
    const reply = await post(`{"name": "${'x'.repeat(1024 * 1024)}"}`);

    expect(reply.statusCode).toBe(413);
    expect(reply.json()).toEqual({ error: 'The body is above 1 MiB.' });
  });

  test('arrives as it was sent', async () => {
    const reply = await post('{"name": "x", "count": 5, "map": {"a": ["1", 1, null]}}');

    expect(reply.json()).toEqual({ heard: { name: 'x', count: 5, map: { a: ['1', 1, null] } } });
  });
});

describe('a failure', () => {
  test.each([
    [
      new AppError('not_found', { what: 'Item x' }) as Error,
      404,
      { error: 'Item x does not exist.' },
    ],
    [new KernelError('not_found', 'Plugin x'), 404, { error: 'Plugin x does not exist.' }],
    [new AppError('conflict', { what: 'Taken.' }), 409, { error: 'Taken.' }],
    [
      new KernelError('plugin_failed', 'It said no.'),
      502,
      { error: 'It said no.', code: 'plugin_failed' },
    ],
  ])('that is expected, as %s, is answered as it is', async (error, status, body) => {
    const app = await open(failing(error));

    const reply = await app.inject({ url: '/api/fails', headers: as });

    expect({ status: reply.statusCode, body: reply.json<unknown>() }).toEqual({ status, body });
  });

  test('that is temporary has Retry-After', async () => {
    const app = await open(failing(new AppError('too_many_requests', { what: 'Slowly.' })));

    const reply = await app.inject({ url: '/api/fails', headers: as });

    expect(reply.statusCode).toBe(429);
    expect(reply.headers['retry-after']).toBe('5');
  });

  test('that is a bug gives the client an id, and the log the details under that id', async () => {
    const lines: object[] = [];
    const log: Log = { ...silentLog, error: (fields) => void lines.push(fields) };
    const bug = new Error('select * from users; /srv/somebody');
    const app = await open(failing(bug), { log, newId: () => 'request-7' });

    const reply = await app.inject({ url: '/api/fails', headers: as });

    expect(reply.statusCode).toBe(500);
    expect(reply.json()).toEqual({ error: 'internal error (request request-7)' });
    expect(lines).toEqual([
      { requestId: 'request-7', method: 'GET', route: '/api/fails', err: bug },
    ]);
  });

  test.each([
    ['storage_failed', 503, '10'],
    ['storage_busy', 503, '5'],
    ['storage_full', 507, '60'],
    ['storage_read_only', 503, '60'],
    ['storage_damaged', 503, '60'],
  ] as const)(
    'of storage is told as %s, status %i, and nothing of SQL',
    async (code, status, wait) => {
      const cause = new Error('SQLITE_CORRUPT: select * from users');
      const app = await open(failing(new KernelError(code, 'The disk failed.', { cause })));

      const reply = await app.inject({ url: '/api/fails', headers: as });

      expect([reply.statusCode, reply.headers['retry-after']]).toEqual([status, wait]);
      expect(reply.json()).toEqual({ error: 'The disk failed.', code });
    },
  );

  test.each([
    ['EROFS', 503, 'storage_read_only'],
    ['ENOSPC', 507, 'storage_full'],
    ['EDQUOT', 507, 'storage_full'],
  ])('of a disk (%s) is told as %i %s, without a path', async (fault, status, code) => {
    const error = Object.assign(new Error(`${fault}: open '/srv/data/x'`), { code: fault });
    const app = await open(failing(error));

    const reply = await app.inject({ url: '/api/fails', headers: as });

    expect([reply.statusCode, reply.headers['retry-after']]).toEqual([status, '60']);
    expect(reply.json()).toEqual({
      error: expect.stringContaining('The disk of the server'),
      code,
    });
    expect(reply.body).not.toContain('/srv');
  });

  test('of the server is logged with its cause, which the client does not see', async () => {
    const lines: object[] = [];
    const log: Log = { ...silentLog, warn: (fields) => void lines.push(fields) };
    const cause = new Error('call_timeout after 5000 ms');
    const error = new AppError('unavailable', { what: 'Search is not available.' }, { cause });
    const app = await open(failing(error), { log, newId: () => 'request-8' });

    const reply = await app.inject({ url: '/api/fails', headers: as });

    expect(reply.json()).toEqual({ error: 'Search is not available.' });
    expect(lines).toEqual([
      {
        requestId: 'request-8',
        method: 'GET',
        route: '/api/fails',
        code: 'unavailable',
        err: cause,
      },
    ]);
  });

  test('to find a route is 404 in the same form', async () => {
    const app = await open(echo);

    for (const url of ['/api/nothing', '/', '/api/jobs/../../etc/passwd', '/api/echo/']) {
      const reply = await app.inject({ url, headers: as });
      expect({ url, status: reply.statusCode, keys: Object.keys(reply.json()) }).toEqual({
        url,
        status: 404,
        keys: ['error'],
      });
    }
    const reply = await app.inject({ method: 'PATCH', url: '/api/echo?secret=1', headers: as });
    expect(reply.json()).toEqual({ error: 'PATCH /api/echo does not exist.' });
  });

  test('to read the path is 400 in the same form', async () => {
    const app = await open(echo);

    const reply = await app.inject({ url: '/api/%E0%A4%A', headers: as });

    expect(reply.statusCode).toBe(400);
    expect(reply.json()).toEqual({ error: 'The path is not a valid URL path.' });
  });
});

describe('a server', () => {
  test.each([
    ['starting', 'The server is starting. Try again in a moment.', '1'],
    ['stopping', 'The server is stopping.', '5'],
  ] as const)('that is %s answers 503 and when to come back', async (now, error, seconds) => {
    const app = await open(echo, { readiness: () => now });

    const reply = await app.inject({ url: '/api/echo', headers: as });

    expect(reply.statusCode).toBe(503);
    expect(reply.headers['retry-after']).toBe(seconds);
    expect(reply.json()).toEqual({ error, code: now });
  });

  test('that drains answers, and says that the connection ends', async () => {
    const app = await open(echo, { readiness: () => 'draining' });

    const reply = await app.inject({ url: '/api/echo', headers: as });

    expect([reply.statusCode, reply.headers.connection]).toEqual([200, 'close']);
  });

  test('tells browsers not to treat a reply as a page or a script, and not to store it', async () => {
    const app = await open(echo);

    for (const url of ['/api/echo', '/api/nothing']) {
      const { headers } = await app.inject({ url });
      expect(headers).toMatchObject({
        'cache-control': 'no-store',
        'content-security-policy': expect.stringContaining("default-src 'none'"),
        'x-content-type-options': 'nosniff',
        'x-frame-options': 'DENY',
        'referrer-policy': 'no-referrer',
      });
    }
  });

  test('counts a request as interactive until it is answered, but not a stream', async () => {
    const marks: string[] = [];
    const background = {
      request: (kind = 'reading') => {
        marks.push(`${kind} begins`);
        return () => void marks.push('ends');
      },
      waitForSlot: async () => undefined,
      isCalm: () => true,
      batchSize: async (wanted: number) => wanted,
      defer: (run: () => void) => run(),
    };
    const app = await open(
      (one) => {
        for (const isStream of [false, true]) {
          one.route({
            method: ['GET', 'POST'],
            url: `/api/${isStream ? 'stream' : 'page'}`,
            config: { ...config, isStream },
            schema: { summary: 'A reply', response: { 200: List(JsonMap) } },
            handler: async () => [],
          });
        }
      },
      { background },
    );

    await app.inject({ url: '/api/page', headers: as });
    expect(marks).toEqual(['reading begins', 'ends']);
    await app.inject({ url: '/api/stream', headers: as });
    expect(marks.splice(0)).toEqual(['reading begins', 'ends']);
    await app.inject({ method: 'POST', url: '/api/page', headers: as });
    expect(marks).toEqual(['command begins', 'ends']);
  });

  test('sends no key that the schema of the reply does not name', async () => {
    const secretive = { id: 'a', secret: 'b', inner: [{ name: 'c', secret: 'd' }] };
    const schema = Type.Object({
      id: Type.String(),
      inner: List(Type.Object({ name: Type.String() })),
    });
    const app = await open((one) => {
      one.get(
        '/api/thing',
        { config, schema: { summary: 'A thing', response: { 200: schema } } },
        async () => secretive,
      );
    });

    const reply = await app.inject({ url: '/api/thing', headers: as });

    expect(reply.json()).toEqual({ id: 'a', inner: [{ name: 'c' }] });
  });
});

describe('a route', () => {
  const schema = { summary: 'A route', response: { 204: NoContent } };

  test.each([
    ['does not state its access', { schema }, 'does not say who may call it'],
    ['has no schema', { config }, 'has no schema'],
    ['has no schema of its reply', { config, schema: { summary: 'x' } }, 'no schema of its reply'],
    ['has no summary', { config, schema: { response: schema.response } }, 'has no summary'],
    [
      'takes unknown keys in its body by silence',
      { config, schema: { ...schema, body: Type.Object({}) } },
      'takes unknown keys in its body',
    ],
  ])('that %s is refused when the server starts', async (_what, options: object, message) => {
    const routes: Mount = (app) => {
      app.post('/api/route', options, async (_request, reply) => reply.code(204).send());
    };

    await expect(createTestApp([routes])).rejects.toThrow(message);
  });

  test('that has no schema of its path is refused when the server starts', async () => {
    const routes: Mount = (app) => {
      app.get('/api/route/:id', { config, schema }, async () => undefined);
    };

    await expect(createTestApp([routes])).rejects.toThrow('has no schema of its path');
  });
});
