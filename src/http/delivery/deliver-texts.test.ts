import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { Readable } from 'node:stream';
import { beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { Type } from '@sinclair/typebox';
import { bearer, createTestApp } from '../../../test/support/servers/http.ts';
import { systemClock } from '../../platform/clock.ts';
import { viewerOf } from '../access.ts';
import { mount, type HttpApp } from '../http-app.ts';
import { createResponseCache } from '../response-cache.ts';
import { NoContent, StreamReply } from '../../contract/resources/schema-parts.ts';
import { plainTags } from './entity-tags.ts';

const Reply = Type.Object({ text: Type.String() });
const large = 'A film by the sea. '.repeat(100);
let app: HttpApp;
let cacheText: string;
let writes: number;

beforeEach(async () => {
  [cacheText, writes] = [large, 0];
  const cache = createResponseCache({ database: { writes: () => writes }, clock: systemClock });
  const open = { access: 'guest', holdsNoSecret: true } as const;
  const schema = { summary: 'A text', response: { 200: Reply, 304: NoContent } };
  app = await createTestApp(
    [
      mount(async (routes) => {
        routes.get('/api/large', { config: open, schema }, async () => ({ text: large }));
        routes.get('/api/small', { config: open, schema }, async () => ({ text: 'small' }));
        routes.get('/api/own', { config: open, schema }, async (request) => ({
          text: `${viewerOf(request).role} ${large}`,
        }));
        routes.get('/api/kept', { config: open, schema }, (request, reply) =>
          cache.send(reply, {
            viewer: viewerOf(request),
            question: 1,
            make: async () => ({ text: cacheText }),
          }),
        );
        routes.get('/api/secret', { config: { access: 'guest' }, schema }, async () => ({
          text: large,
        }));
        routes.post('/api/large', { config: open, schema }, async () => ({ text: large }));
        routes.get('/api/failure', { config: open, schema }, () => {
          throw new Error(large);
        });
        routes.get(
          '/api/tagged',
          {
            config: open,
            schema: {
              summary: 'A file',
              response: { 200: StreamReply('text/vtt', 'x'), 304: NoContent },
            },
          },
          async (request, reply) => {
            void reply.headers({ etag: '"v1"', 'content-length': large.length });
            if (plainTags(request) === '"v1"') return reply.code(304).send();
            return reply.type('text/vtt').send(Buffer.from(large) as never);
          },
        );
        routes.get(
          '/api/stream',
          { config: open, schema: { summary: 'x', response: { 200: StreamReply('x/y', 'x') } } },
          async (_request, reply) => reply.type('x/y').send(Readable.from([large])),
        );
      }, {}),
    ],
    { security: withOrigin },
  );
  onTestFinished(() => app.close());
});

const withOrigin = {
  trustedProxies: [],
  corsOrigins: ['https://films.example'],
  connectionsPerAddress: 0,
  csrfKey: Buffer.alloc(32),
  readLink: () => null,
  publicUrl: null,
};

const ask = (url: string, headers: Record<string, string> = {}, method: 'GET' | 'HEAD' = 'GET') =>
  app.inject({ method, url, headers: { ...bearer('guest'), ...headers } });

const br = { 'accept-encoding': 'gzip, br' };
const gzip = { 'accept-encoding': 'gzip' };

describe('replies without secrets', () => {
  test('are sent in brotli or gzip, as the client accepts, with their length', async () => {
    const [brotli, zipped, plain] = [
      await ask('/api/large', br),
      await ask('/api/large', gzip),
      await ask('/api/large'),
    ];

    expect(brotli.headers['content-encoding']).toBe('br');
    expect(brotliDecompressSync(brotli.rawPayload).toString()).toBe(plain.payload);
    expect(zipped.headers['content-encoding']).toBe('gzip');
    expect(gunzipSync(zipped.rawPayload).toString()).toBe(plain.payload);
    expect(plain.headers['content-encoding']).toBeUndefined();
    for (const { headers, rawPayload } of [brotli, zipped, plain]) {
      expect(Number(headers['content-length'])).toBe(rawPayload.length);
      expect(headers['content-type']).toBe('application/json; charset=utf-8');
      expect(headers['cache-control']).toBe('private, no-cache');
      expect(headers['vary']).toBe('Origin, Accept-Encoding');
    }
  });

  test('have a strong tag that differs by coding, and answer 304 to a client that has it', async () => {
    const tags = [];
    for (const accepts of [br, gzip, {}]) {
      const { headers } = await ask('/api/large', accepts);
      const known = await ask('/api/large', { ...accepts, 'if-none-match': String(headers.etag) });
      expect([known.statusCode, known.payload, known.headers.etag]).toEqual([
        304,
        '',
        headers.etag,
      ]);
      expect(known.headers['content-length']).toBeUndefined();
      expect(known.headers['content-encoding']).toBeUndefined();
      expect(known.headers['vary']).toBe('Origin, Accept-Encoding');
      tags.push(headers.etag);
    }

    expect(tags).toEqual(tags.map(() => expect.stringMatching(/^"[^"]+"$/)));
    expect(new Set(tags).size).toBe(3);
    const other = await ask('/api/large', { ...gzip, 'if-none-match': String(tags[0]) });
    expect(other.statusCode).toBe(200);
  });

  test('are 304 for a weak tag, for one of several, and for *', async () => {
    const tag = String((await ask('/api/large')).headers.etag);

    for (const given of [`W/${tag}`, `"x", ${tag}`, '*'])
      expect((await ask('/api/large', { 'if-none-match': given })).statusCode).toBe(304);
  });

  test('give no 304 for the tag of a viewer whose reply differs', async () => {
    const tag = String((await ask('/api/own')).headers.etag);
    const asAdmin = { ...bearer('admin'), 'if-none-match': tag };

    expect((await ask('/api/own', { 'if-none-match': tag })).statusCode).toBe(304);
    expect((await ask('/api/own', asAdmin)).json()).toEqual({ text: `admin ${large}` });
  });

  test('below 1 kB are sent as they are, with a tag', async () => {
    const reply = await ask('/api/small', br);

    expect(reply.json()).toEqual({ text: 'small' });
    expect(reply.headers['content-encoding']).toBeUndefined();
    const known = await ask('/api/small', { ...br, 'if-none-match': String(reply.headers.etag) });
    expect(known.statusCode).toBe(304);
  });

  test('answer HEAD with the headers of GET', async () => {
    for (const accepts of [br, gzip, {}]) {
      const get = (await ask('/api/large', accepts)).headers;
      const head = await ask('/api/large', accepts, 'HEAD');
      const names = ['etag', 'content-length', 'content-encoding', 'content-type', 'vary'];
      expect(head.payload).toBe('');
      for (const name of names) expect([name, head.headers[name]]).toEqual([name, get[name]]);
      const known = { ...accepts, 'if-none-match': String(get.etag) };
      const { statusCode, payload } = await ask('/api/large', known, 'HEAD');
      expect([statusCode, payload]).toEqual([304, '']);
    }
  });

  test('with a tag of their domain keep it, and add the coding', async () => {
    const reply = await ask('/api/tagged', br);
    expect(reply.headers).toMatchObject({ etag: '"v1-br"', 'content-encoding': 'br' });
    expect(Number(reply.headers['content-length'])).toBe(reply.rawPayload.length);

    const known = await ask('/api/tagged', { ...br, 'if-none-match': '"v1-br"' });
    expect([known.statusCode, known.headers.etag]).toEqual([304, '"v1-br"']);
    expect((await ask('/api/tagged', { ...gzip, 'if-none-match': '"v1-br"' })).statusCode).toBe(
      200,
    );
    expect((await ask('/api/tagged', { 'if-none-match': '"v1"' })).headers.etag).toBe('"v1"');
  });

  test('that the cache keeps are sent again as they were, until something is written', async () => {
    const [first, second] = [await ask('/api/kept', br), await ask('/api/kept', br)];
    expect(second.rawPayload).toEqual(first.rawPayload);
    expect(second.headers.etag).toBe(first.headers.etag);

    [cacheText, writes] = [`A new film. ${large}`, 1];
    const known = { ...br, 'if-none-match': String(first.headers.etag) };
    const changed = await ask('/api/kept', known);
    expect(JSON.parse(brotliDecompressSync(changed.rawPayload).toString())).toEqual({
      text: cacheText,
    });
  });

  test('that are streams are sent as they come', async () => {
    const reply = await ask('/api/stream', br);

    expect(reply.payload).toBe(large);
    expect(reply.headers['content-encoding']).toBeUndefined();
  });
});

describe('neither compressed nor tagged', () => {
  test.each([
    ['a reply of a route that may hold a secret', 'GET', '/api/secret'],
    ['a reply to a change', 'POST', '/api/large'],
    ['a failure', 'GET', '/api/failure'],
  ] as const)('is %s', async (_what, method, url) => {
    const { headers } = await app.inject({ method, url, headers: { ...bearer('guest'), ...br } });

    expect(headers['content-encoding']).toBeUndefined();
    expect(headers.etag).toBeUndefined();
    expect(headers['cache-control']).toBe('no-store');
  });
});
