/**
 * Every route of the server, asked by everybody. A route that is not in this table fails the test:
 * who may call it is a decision that somebody reads, not something that happens.
 */
import type { RouteOptions } from 'fastify';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { HttpApp, RouteAccess } from '../../src/http/index.ts';
import { createLinkTokens, opensRoute } from '../../src/people/credentials/index.ts';
import { fullVisibility, serverViewer } from '../../src/people/viewer/index.ts';
import { systemClock } from '../../src/platform/clock.ts';
import { createRoutesApp } from '../support/servers/api-document.ts';
import { bearer, testViewers } from '../support/servers/http.ts';

/** The least role that each route needs. `or films`: also an admin key limited to some libraries. */
const table: Readonly<Record<string, RouteAccess | 'admin or films'>> = {
  'GET /': 'nobody',
  'GET /account': 'nobody',
  'GET /.well-known/security.txt': 'nobody',
  'GET /api/docs': 'nobody',
  'GET /api/health': 'nobody',
  'GET /api/ready': 'nobody',
  'GET /api/setup': 'nobody',
  'POST /api/auth/identity-session/begin': 'nobody',
  'POST /api/auth/identity-session/complete': 'nobody',
  'POST /api/auth/login': 'nobody',
  'POST /api/auth/pairings': 'nobody',
  'POST /api/auth/pairings/claim': 'nobody',
  'POST /api/auth/login/passkey': 'nobody',
  'POST /api/auth/login/passkey/options': 'nobody',
  'POST /api/setup': 'nobody',
  'GET /api/openapi.json': 'nobody',
  'GET /api/invites/:id': 'nobody',
  'GET /api/reachable/:nonce': 'nobody',
  'POST /api/invites/:token/redeem': 'nobody',
  'POST /api/invites/look': 'nobody',
  'POST /api/invites/redeem': 'nobody',
  'GET /console/:name': 'nobody',
  'GET /invite': 'nobody',
  'GET /items/:id': 'nobody',
  'GET /admin': 'nobody',
  'GET /admin/entities/:id': 'nobody',
  'GET /admin/items/:id': 'nobody',
  'GET /admin/doctor': 'nobody',
  'GET /admin/logs': 'nobody',
  'GET /admin/metrics': 'nobody',
  'GET /admin/jobs': 'nobody',
  'GET /admin/libraries': 'nobody',
  'GET /admin/libraries/:id': 'nobody',
  'GET /admin/audit': 'nobody',
  'GET /admin/backups': 'nobody',
  'GET /admin/servers': 'nobody',
  'GET /admin/settings': 'nobody',
  'GET /admin/webhooks': 'nobody',
  'GET /admin/marketplace': 'nobody',
  'GET /admin/matches': 'nobody',
  'GET /admin/people': 'nobody',
  'GET /admin/people/:id': 'nobody',
  'GET /admin/plugins': 'nobody',
  'GET /admin/plugins/:id': 'nobody',
  'GET /albums/:id': 'nobody',
  'GET /artists/:id': 'nobody',
  'GET /downloads': 'nobody',
  'GET /entities/:id': 'nobody',
  'GET /genres/:id': 'nobody',
  'GET /libraries': 'nobody',
  'GET /lists': 'nobody',
  'GET /lists/:id': 'nobody',
  'GET /me': 'nobody',
  'GET /pair': 'nobody',
  'GET /pair/accept': 'nobody',
  'GET /people/:id': 'nobody',
  'GET /photos/:id': 'nobody',
  'GET /read/:id': 'nobody',
  'GET /read/pdf/:id': 'nobody',
  'GET /web/pdf/:name': 'nobody',
  'GET /plugins/:id': 'nobody',
  'GET /profiles': 'nobody',
  'GET /seasons/:id': 'nobody',
  'GET /series/:id': 'nobody',
  'GET /shows/:id': 'nobody',
  'GET /studios/:id': 'nobody',
  'GET /watch/:id': 'nobody',
  'GET /libraries/:id': 'nobody',
  'GET /web/:name': 'nobody',
  'GET /kit/:name': 'nobody',
  'GET /search': 'nobody',
  'GET /setup': 'nobody',
  'GET /install': 'nobody',
  'GET /sign-in': 'nobody',

  'GET /api/assets/:id': 'guest',
  'DELETE /api/auth/passkeys/:id': 'guest',
  'DELETE /api/auth/sessions': 'guest',
  'DELETE /api/auth/sessions/:id': 'guest',
  'GET /api/auth/identity/me': 'guest',
  'GET /api/identity/links': 'guest',
  'POST /api/identity/links': 'guest',
  'GET /api/identity/links/:id': 'guest',
  'POST /api/identity/links/:id/confirm': 'guest',
  'DELETE /api/identity/links/:id': 'guest',
  'GET /api/auth/me': 'guest',
  'GET /api/auth/passkeys': 'guest',
  'GET /api/auth/sessions': 'guest',
  'PATCH /api/auth/me': 'guest',
  'PATCH /api/auth/passkeys/:id': 'guest',
  'POST /api/auth/logout': 'guest',
  'POST /api/auth/pairings/accept': 'guest',
  'POST /api/auth/pairings/look': 'guest',
  'POST /api/auth/pairings/refuse': 'guest',
  'POST /api/auth/passkeys': 'guest',
  'POST /api/auth/passkeys/options': 'guest',
  'POST /api/auth/password': 'guest',
  'GET /api/collections': 'guest',
  'GET /api/collections/:id': 'guest',
  'GET /api/collections/:id/items': 'guest',
  'GET /api/collections/:id/entries': 'guest',
  'GET /api/continue-watching': 'guest',
  'GET /api/entities': 'guest',
  'GET /api/entities/letters': 'guest',
  'GET /api/entities/:id': 'guest',
  'GET /api/entities/:id/children': 'guest',
  'GET /api/entities/:id/items': 'guest',
  'GET /api/events': 'guest',
  'GET /api/home': 'guest',
  'GET /api/files/:id': 'guest',
  'GET /api/files/:id/stream': 'guest',
  'GET /api/files/:id/text/:track': 'guest',
  'GET /api/files/:id/fonts': 'guest',
  'GET /api/files/:id/fonts/:index': 'guest',
  'POST /api/files/:id/link': 'guest',
  'POST /api/assets/:id/link': 'guest',
  'GET /api/items': 'guest',
  'GET /api/items/:id': 'guest',
  'GET /api/items/languages': 'guest',
  'GET /api/items/letters': 'guest',
  'GET /api/items/months': 'guest',
  'GET /api/items/:id/chapters': 'guest',
  'GET /api/items/:id/similar': 'guest',
  'GET /api/items/:id/lyrics': 'guest',
  'GET /api/items/:id/playback': 'guest',
  'GET /api/items/:id/playback-info': 'guest',
  'GET /api/playback/sessions': 'guest',
  'POST /api/playback/sessions': 'guest',
  'PATCH /api/playback/sessions/:id': 'guest',
  'DELETE /api/playback/sessions/:id': 'guest',
  'GET /api/playback/sessions/:id/:link/master.m3u8': 'guest',
  'GET /api/playback/sessions/:id/:link/:track/:quality/index.m3u8': 'guest',
  'GET /api/playback/sessions/:id/:link/:track/:quality/iframes.m3u8': 'guest',
  'GET /api/playback/sessions/:id/:link/:track/:quality/:part': 'guest',
  'GET /api/playback/sessions/:id/:link/file': 'guest',
  'GET /api/playback/sessions/:id/:link/first': 'guest',
  'GET /api/playback/sessions/:id/:link/text/:text': 'guest',
  'GET /api/playback/sessions/:id/:link/fonts/:index': 'guest',
  'GET /api/playback/sessions/:id/:link/trickplay/:name': 'guest',
  'GET /api/libraries': 'guest',
  'GET /api/libraries/:id': 'guest',
  'GET /api/libraries/:id/playlists': 'guest',
  'GET /api/libraries/:id/playlists/:fileId': 'guest',
  'GET /api/next-up': 'guest',
  'GET /api/plugins': 'guest',
  'GET /api/plugins/presets/metadata': 'admin',
  'POST /api/plugins/presets/metadata': 'admin',
  'GET /api/plugins/providers': 'admin',
  'PUT /api/plugins/providers/:key': 'admin',
  'GET /api/profiles': 'guest',
  'GET /api/profiles/:id': 'guest',
  'GET /api/profiles/:id/preferences': 'guest',
  'GET /api/ws': 'guest',
  'GET /api/profiles/:id/avatar': 'guest',
  'POST /api/profiles/:id/unlock': 'guest',
  'GET /api/rating-systems': 'guest',
  'GET /api/plugins/:id': 'guest',
  'GET /api/plugins/views/:slot': 'guest',
  'GET /api/search': 'guest',

  'DELETE /api/api-keys/:id': 'user',
  'GET /api/api-keys': 'user',
  'POST /api/api-keys': 'user',
  'POST /api/collections': 'user',
  'POST /api/profiles': 'user',
  'PATCH /api/profiles/:id': 'user',
  'DELETE /api/profiles/:id': 'user',
  'PUT /api/profiles/:id/avatar': 'user',
  'PUT /api/profiles/:id/preferences': 'user',
  'GET /api/profiles/:id/plugins': 'user',
  'PUT /api/profiles/:id/plugins/:pluginId': 'user',
  'PUT /api/profiles/:id/plugins/:pluginId/agreement': 'user',
  'DELETE /api/collections/:id': 'user',
  'PATCH /api/collections/:id': 'user',
  'DELETE /api/collections/:id/items/:itemId': 'user',
  'PUT /api/collections/:id/items/:itemId': 'user',
  'POST /api/collections/:id/entries': 'user',
  'PATCH /api/collections/:id/entries/:entryId': 'user',
  'DELETE /api/collections/:id/entries/:entryId': 'user',
  'DELETE /api/entities/:id/favourite': 'user',
  'PUT /api/entities/:id/favourite': 'user',
  'PUT /api/entities/:id/rating': 'user',
  'DELETE /api/items/:id/favourite': 'user',
  'PUT /api/items/:id/favourite': 'user',
  'PUT /api/items/:id/rating': 'user',
  'PUT /api/items/:id/watched': 'user',
  'PUT /api/entities/:id/watched': 'user',
  'DELETE /api/items/:id/playback': 'user',
  'PUT /api/items/:id/playback': 'user',
  'POST /api/plugins/:id/actions/:rpcMethod': 'user',
  'POST /api/plugins/views/actions': 'user',

  'DELETE /api/items/:id': 'admin or films',
  'DELETE /api/items/:id/match': 'admin or films',
  'GET /api/items/:id/match': 'admin or films',
  'GET /api/items/:id/pictures': 'admin or films',
  'POST /api/items/:id/pictures': 'admin or films',
  'DELETE /api/items/:id/pictures/:pictureId': 'admin or films',
  'GET /api/items/:id/matches': 'admin or films',
  'GET /api/items/:id/matches/picture': 'admin or films',
  'GET /api/matches/pending': 'admin or films',
  'GET /api/libraries/:id/removed-files': 'admin or films',
  'POST /api/libraries/:id/removed-files/restore': 'admin or films',
  'GET /api/libraries/:id/unread-files': 'admin or films',
  'GET /api/libraries/:id/sources': 'admin or films',
  'PUT /api/libraries/:id/sources': 'admin or films',
  'PUT /api/items/:id/match': 'admin or films',
  'PATCH /api/items/:id': 'admin or films',
  'POST /api/items/:id/refresh': 'admin or films',
  'DELETE /api/jobs': 'admin or films',
  'GET /api/jobs': 'admin or films',
  'POST /api/jobs': 'admin or films',
  'GET /api/jobs/:id': 'admin or films',
  'POST /api/jobs/:id/cancel': 'admin or films',
  'POST /api/jobs/:id/retry': 'admin or films',

  'GET /api/libraries/:id/hidden-entities': 'admin',
  'GET /api/audit': 'admin',
  'DELETE /api/users/:id': 'admin',
  'GET /api/users': 'admin',
  'GET /api/users/:id': 'admin',
  'GET /api/logs': 'admin',
  'GET /api/users/:id/sessions': 'admin',
  'DELETE /api/users/:id/sessions/:sessionId': 'admin',
  'PATCH /api/users/:id': 'admin',
  'POST /api/users': 'admin',
  'POST /api/users/:id/password': 'admin',
  'PATCH /api/entities/:id': 'admin',
  'POST /api/entities/:id/pictures': 'admin',
  'DELETE /api/entities/:id/pictures/:pictureId': 'admin',
  'GET /api/groups': 'admin',
  'POST /api/groups': 'admin',
  'GET /api/groups/:id': 'admin',
  'PATCH /api/groups/:id': 'admin',
  'DELETE /api/groups/:id': 'admin',
  'GET /api/invites': 'admin',
  'POST /api/invites': 'admin',
  'DELETE /api/invites/:id': 'admin',
  'POST /api/entities/:id/merge': 'admin',
  'POST /api/entities/:id/split': 'admin',
  'GET /api/folders': 'admin',
  'POST /api/libraries': 'admin',
  'DELETE /api/libraries/:id': 'admin',
  'PATCH /api/libraries/:id': 'admin',
  'DELETE /api/license': 'admin',
  'GET /api/license': 'admin',
  'POST /api/license/activate': 'admin',
  'GET /api/backups': 'admin',
  'POST /api/backups': 'admin',
  'DELETE /api/backups/:filename': 'admin',
  'GET /api/backups/:filename': 'admin',
  'POST /api/backups/:filename/restore': 'admin',
  'GET /api/database': 'admin',
  'GET /api/doctor': 'admin',
  'GET /api/servers': 'admin',
  'GET /api/settings': 'admin',
  'POST /api/database/check': 'admin',
  'GET /api/notifications': 'admin',
  'GET /api/updates': 'admin',
  'PUT /api/updates': 'admin',
  'POST /api/updates/check': 'admin',
  'DELETE /api/notifications/:id': 'admin',
  'POST /api/notifications/:id/read': 'admin',
  'GET /api/scheduler': 'admin',
  'POST /api/scheduler/:name/run': 'admin',
  'GET /api/plugins/:id/configuration': 'admin',
  'PUT /api/plugins/:id/configuration': 'admin',
  'POST /api/plugins/:id/disable': 'admin',
  'POST /api/plugins/:id/enable': 'admin',
  'GET /api/plugins/:id/logs': 'admin',
  'GET /api/plugins/:id/permissions': 'admin',
  'PUT /api/plugins/:id/permissions': 'admin',
  'POST /api/plugins/:id/restart': 'admin',
  'POST /api/plugins/rescan': 'admin',
  'GET /api/plugins/:id/permissions/dry-run': 'admin',
  'GET /api/plugins/:id/secrets': 'admin',
  'PUT /api/plugins/:id/secrets/:name': 'admin',
  'DELETE /api/plugins/:id/secrets/:name': 'admin',
  'GET /api/plugins/:id/usage': 'admin',
  'GET /api/plugins/:id/versions': 'admin',
  'DELETE /api/plugins/:id': 'admin',
  'GET /api/plugins/marketplace': 'admin',
  'POST /api/audit/verify': 'admin',
  'POST /api/plugins/packages': 'admin',
  'POST /api/plugins/packages/look': 'admin',
  'POST /api/plugins/marketplace/install': 'admin',
  'POST /api/plugins/marketplace/upgrade': 'admin',
  'POST /api/plugins/marketplace/rollback': 'admin',
  'POST /api/plugins/marketplace/refresh': 'admin',
  'GET /api/plugins/marketplace/sources': 'admin',
  'POST /api/plugins/marketplace/sources': 'admin',
  'DELETE /api/plugins/marketplace/sources/:id': 'admin',
  'GET /api/stats': 'admin',
  'GET /api/webhooks': 'admin',
  'POST /api/webhooks': 'admin',
  'GET /api/webhooks/:id': 'admin',
  'PATCH /api/webhooks/:id': 'admin',
  'DELETE /api/webhooks/:id': 'admin',
  'POST /api/webhooks/:id/test': 'admin',
  'GET /api/webhooks/:id/deliveries': 'admin',
  'POST /api/webhooks/:id/deliveries/:deliveryId/redeliver': 'admin',
  'GET /metrics': 'admin',
};

const routes: RouteOptions[] = [];
let app: HttpApp;

beforeAll(async () => {
  const collect = (one: HttpApp): void =>
    void one.addHook('onRoute', (route) => void routes.push(route));
  app = await createRoutesApp([collect]);
});

afterAll(() => app.close());

const nameOf = ({ method, url }: RouteOptions): string => `${String(method)} ${url}`;
const isOwn = ({ method }: RouteOptions): boolean => method !== 'HEAD';
const documented = [...Object.keys(table)];

async function statusFor(route: string, who: string | null): Promise<number> {
  const [method, url] = route.split(' ') as ['GET', string];
  const reply = await app.inject({
    method,
    url: url.replaceAll(/:\w+/g, 'x'),
    ...(who !== null && { headers: bearer(who) }),
    ...(['POST', 'PUT', 'PATCH'].includes(method) && { payload: {} }),
  });
  return reply.statusCode;
}

/** Who of the test viewers gets through the door of a route. */
function allowed(access: (typeof table)[string], method: string): readonly (string | null)[] {
  if (access === 'nobody') return [null, ...Object.keys(testViewers)];
  const reader = method === 'GET' ? ['read-only'] : [];
  switch (access) {
    case 'guest':
      return ['guest', 'guest-of-films', 'user', 'admin', 'admin-of-films', ...reader];
    case 'user':
      return ['user', 'admin', 'admin-of-films', ...reader];
    case 'admin or films':
      return ['admin', 'admin-of-films', ...reader];
    case 'admin':
      return ['admin', ...reader];
  }
}

describe('every route of the server', () => {
  test('stands in the table of who may call it, and nothing else does', () => {
    expect(routes.filter(isOwn).map(nameOf).sort()).toEqual([...documented].sort());
  });

  test.each(Object.entries(table))(
    '%s is open to %s and to no lower role',
    async (route, access) => {
      const method = route.split(' ')[0] ?? '';
      const through = allowed(access, method);
      for (const who of [null, ...Object.keys(testViewers)]) {
        const status = await statusFor(route, who);
        const isThrough = ![401, 403].includes(status);
        expect({ who, isThrough }).toEqual({ who, isThrough: through.includes(who) });
        if (!isThrough) expect(status).toBe(who === null ? 401 : 403);
      }
    },
  );

  test('has a schema for each reply, and one of the path that it takes', () => {
    for (const route of routes) {
      const statuses = Object.keys(route.schema?.response ?? {});
      expect({ route: nameOf(route), statuses }).toEqual({
        route: nameOf(route),
        statuses: expect.arrayContaining(['4xx', '5xx', expect.stringMatching(/^(2\d\d|101)$/)]),
      });
      expect(route.url.includes(':')).toBe(route.schema?.params !== undefined);
    }
  });

  test('is opened by a link to media if and only if it says so', async () => {
    const viewer = { ...serverViewer, credentialId: 'key', profileId: 'profile' };
    const principal = { ...serverViewer, credentialId: 'key', scope: fullVisibility, routes: null };
    const tokens = createLinkTokens({
      key: Buffer.alloc(32),
      clock: systemClock,
      principalOfId: async () => principal,
    });
    for (const kind of ['file', 'asset', 'session'] as const) {
      const { token } = tokens.create({ kind, id: 'media' }, viewer, 60);
      const patterns = (await tokens.principalOf(token))?.routes ?? [];
      const opened = routes.filter(({ method, url }) =>
        opensRoute(patterns, { method: String(method), route: url }),
      );

      expect(opened.map(nameOf)).not.toEqual([]);
      expect(opened.map(nameOf)).toEqual(
        routes.filter(({ config }) => config?.linked === kind).map(nameOf),
      );
    }
  });

  test('is described in the OpenAPI 3.1 document, with its replies and its credential', async () => {
    const document: unknown = (await app.inject('/api/openapi.json')).json();

    expect(document).toMatchObject({ openapi: '3.1.0' });
    const { paths, security } = document as {
      paths: Record<string, Record<string, { security?: unknown }>>;
      security: unknown;
    };
    const pagesOfApp = routes.filter(({ config }) => config?.isPageOfApp === true).map(nameOf);
    for (const route of documented.filter((name) => !pagesOfApp.includes(name))) {
      const [method = '', url = ''] = route.split(' ');
      const operation = paths[url.replaceAll(/:(\w+)/g, '{$1}')]?.[method.toLowerCase()];
      expect({ route, operation: { security, ...operation } }).toEqual({
        route,
        operation: expect.objectContaining({
          summary: expect.any(String),
          tags: [expect.any(String)],
          security: table[route] === 'nobody' ? [] : [{ bearer: [] }],
        }),
      });
      const { responses } = operation as { responses: Record<string, unknown> };
      expect(Object.keys(responses)).toEqual(
        expect.arrayContaining(['4XX', '5XX', expect.stringMatching(/^(2\d\d|101)$/)]),
      );
    }
  });
});
