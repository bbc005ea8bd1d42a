import { Type } from '@sinclair/typebox';
import { beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { createFakeClock, type FakeClock } from '../../../../test/support/fake-clock.ts';
import { bearer, createTestApp, testViewers } from '../../../../test/support/servers/http.ts';
import { createLinkTokens, type Authenticate } from '../../../people/credentials/index.ts';
import { fullVisibility, type Viewer } from '../../../people/viewer/index.ts';
import { AppError } from '../../../platform/errors.ts';
import { createMediaLinks } from '../../../viewing/streaming/index.ts';
import { mount, type HttpApp, type Mount } from '../../http-app.ts';
import { IdParams } from '../../../contract/resources/schema-parts.ts';
import { mediaLinkRoutes } from './media-links.ts';

let clock: FakeClock;
let revoked: Set<string>;
let unseen: Set<string>;

/** The bytes of a file, which name the reader. */
const streams: Mount = (app) => {
  for (const [kind, url] of [
    ['file', '/api/files/:id/stream'],
    ['asset', '/api/assets/:id'],
  ] as const) {
    app.get(
      url,
      {
        config: { access: 'guest', linked: kind },
        schema: {
          summary: 'Bytes',
          params: IdParams,
          response: { 200: Type.Object({ id: Type.String(), as: Type.String() }) },
        },
      },
      async (request) => {
        assertSeen(request.params.id);
        return { id: request.params.id, as: request.viewer?.profileId ?? '' };
      },
    );
  }
};

function assertSeen(id: string): void {
  if (unseen.has(id)) throw new AppError('not_found', { what: `File ${id}` });
}

async function open(publicUrl: string | null = null): Promise<HttpApp> {
  const tokens = createLinkTokens({
    key: Buffer.alloc(32, 1),
    clock,
    principalOfId: async (id) => {
      const viewer = Object.values(testViewers).find(({ credentialId }) => credentialId === id);
      return viewer && !revoked.has(id) ? { ...viewer, scope: fullVisibility, routes: null } : null;
    },
  });
  const authenticate: Authenticate = async (headers) => {
    const token = (headers.authorization ?? '').slice('Bearer '.length);
    const principal = await tokens.principalOf(token);
    const profileId = String(headers['x-profile-id']);
    const viewer: Viewer | undefined = principal
      ? { ...principal, profileId, visibility: fullVisibility }
      : testViewers[token];
    return viewer ? { viewer, isLocked: false, routes: principal?.routes ?? null } : null;
  };
  const seen = async (id: string): Promise<never> => {
    assertSeen(id);
    return undefined as never;
  };
  const files = {
    get: seen,
    asset: seen,
  };
  const mediaLinks = createMediaLinks({ files, tokens, publicUrl });
  const app = await createTestApp([streams, mount(mediaLinkRoutes, { mediaLinks })], {
    authenticate,
    security: {
      trustedProxies: [],
      corsOrigins: [],
      connectionsPerAddress: 0,
      csrfKey: Buffer.alloc(32),
      readLink: tokens.read,
      publicUrl,
    },
  });
  onTestFinished(() => app.close());
  return app;
}

let app: HttpApp;
beforeEach(async () => {
  clock = createFakeClock();
  revoked = new Set();
  unseen = new Set();
  app = await open();
});

async function link(path = '/api/files/f-1/link', payload?: object): Promise<string> {
  const reply = await app.inject({
    method: 'POST',
    url: path,
    headers: { ...bearer('guest'), host: 'evil.example' },
    ...(payload && { payload }),
  });
  expect(reply.statusCode).toBe(201);
  return reply.json<{ url: string }>().url;
}

const statusOf = async (url: string, headers = {}): Promise<number> =>
  (await app.inject({ url, headers })).statusCode;

describe('a link to media', () => {
  test('opens its file without a header, as the profile that made it', async () => {
    const reply = await app.inject({ url: await link() });

    expect(reply.json()).toEqual({ id: 'f-1', as: 'profile-of-guest' });
    expect(await statusOf(await link('/api/assets/f-1/link'))).toBe(200);
  });

  test('opens no other file, no other route and no other method', async () => {
    const [, query = ''] = (await link()).split('?');
    const token = query.slice('link='.length);

    expect(await statusOf(`/api/files/f-2/stream?${query}`)).toBe(401);
    expect(await statusOf(`/api/assets/f-1?${query}`)).toBe(401);
    const again = await app.inject({ method: 'POST', url: `/api/files/f-1/link?${query}` });
    expect(again.statusCode).toBe(401);
    for (const url of ['/api/files/f-1/stream', '/api/files/f-2/stream', '/api/openapi.json?x']) {
      const status = await statusOf(url, { authorization: `bearer  ${token}` });
      expect({ url, status }).toEqual({ url, status: url.includes('openapi') ? 200 : 401 });
    }
  });

  test('is valid for 6 hours, or for the requested time, at most a day', async () => {
    const [usual, short] = [await link(), await link(undefined, { expiresInSeconds: 60 })];
    await clock.advance(60_000);
    expect([await statusOf(usual), await statusOf(short)]).toEqual([200, 401]);
    await clock.advance(6 * 3_600_000);
    expect(await statusOf(usual)).toBe(401);

    for (const expiresInSeconds of [59, 86_401, 1.5, '60']) {
      const headers = bearer('guest');
      const payload = { expiresInSeconds };
      const reply = await app.inject({
        method: 'POST',
        url: '/api/files/f-1/link',
        headers,
        payload,
      });
      expect(reply.statusCode).toBe(400);
    }
  });

  test('no longer works when its credential was revoked, or may not see the file now', async () => {
    const url = await link();
    unseen.add('f-1');
    expect(await statusOf(url)).toBe(404);
    unseen.clear();
    revoked.add('key-of-guest');
    expect(await statusOf(url)).toBe(401);
  });

  test('is not made for media that the viewer may not see', async () => {
    unseen.add('f-1');
    const headers = bearer('guest');
    const reply = await app.inject({ method: 'POST', url: '/api/files/f-1/link', headers });

    expect(reply.statusCode).toBe(404);
  });

  test('begins with the public URL or with the path, for any Host, and contains no credential', async () => {
    expect(await link()).toMatch(/^\/api\/files\/f-1\/stream\?link=vtl_[\w.-]+$/);
    app = await open('https://films.example.org');
    const url = await link();

    expect(url).toMatch(/^https:\/\/films\.example\.org\/api\/files\/f-1\/stream\?link=vtl_/);
    expect(url).not.toMatch(/vtk_|vts_|Bearer/);
  });
});
