/**
 * Which replies may be compressed. A route says `holdsNoSecret`; a route that does not is never
 * compressed, and stands here with its reason. So a secret beside the input of a stranger cannot be
 * guessed from the length of a reply (BREACH).
 */
import { expect, test } from 'vitest';
import type { RouteOptions } from 'fastify';
import type { HttpApp } from '../../src/http/index.ts';
import { createRoutesApp } from '../support/servers/api-document.ts';

/** Routes that read and are not compressed, by reason. */
const reasons: Readonly<Record<string, readonly string[]>> = {
  'about accounts, keys, sessions or invitations': [
    '/api/api-keys',
    '/api/auth/identity/me',
    '/api/auth/me',
    '/api/auth/passkeys',
    '/api/auth/sessions',
    '/api/groups',
    '/api/groups/:id',
    '/api/identity/links',
    '/api/identity/links/:id',
    '/api/invites',
    '/api/invites/:id',
    '/api/license',
    '/api/playback/sessions',
    '/api/playback/sessions/:id/:link/:track/:quality/iframes.m3u8',
    '/api/playback/sessions/:id/:link/:track/:quality/index.m3u8',
    '/api/playback/sessions/:id/:link/master.m3u8',
    '/api/profiles',
    '/api/profiles/:id',
    '/api/profiles/:id/plugins',
    '/api/profiles/:id/preferences',
    '/api/reachable/:nonce',
    '/api/setup',
    '/api/users',
    '/api/users/:id',
    '/api/users/:id/sessions',
  ],
  'what a plugin or an operator put there may be a secret': [
    '/api/jobs',
    '/api/jobs/:id',
    '/api/logs',
    '/api/notifications',
    '/api/plugins/:id/configuration',
    '/api/plugins/:id/logs',
    '/api/plugins/:id/permissions',
    '/api/plugins/:id/permissions/dry-run',
    '/api/plugins/:id/secrets',
    '/api/plugins/marketplace/sources',
    '/api/plugins/providers',
    '/api/plugins/views/:slot',
    '/api/settings',
    '/api/webhooks',
    '/api/webhooks/:id',
    '/api/webhooks/:id/deliveries',
  ],
  'a stream, or compressed already': [
    '/api/assets/:id',
    '/api/backups/:filename',
    '/api/events',
    '/api/files/:id/fonts/:index',
    '/api/files/:id/stream',
    '/api/playback/sessions/:id/:link/:track/:quality/:part',
    '/api/playback/sessions/:id/:link/file',
    '/api/playback/sessions/:id/:link/first',
    '/api/playback/sessions/:id/:link/fonts/:index',
    '/api/playback/sessions/:id/:link/trickplay/:name',
    '/api/playback/sessions/:id/:link/text/:text',
    '/api/profiles/:id/avatar',
    '/api/ws',
  ],
  'small in most cases': [
    '/.well-known/security.txt',
    '/api/backups',
    '/api/database',
    '/api/doctor',
    '/api/health',
    '/api/items/:id/playback-info',
    '/api/plugins/:id/usage',
    '/api/ready',
    '/api/scheduler',
    '/api/stats',
    '/api/updates',
  ],
};

test('every route that reads is compressed, or has a reason not to be', async () => {
  const routes: RouteOptions[] = [];
  const collect = (one: HttpApp): void =>
    void one.addHook('onRoute', (route) => void routes.push(route));
  const app = await createRoutesApp([collect]);
  await app.close();
  const reading = routes.filter(({ method, config }) => method === 'GET' && !config?.holdsNoSecret);

  expect(reading.map(({ url }) => url).toSorted()).toEqual(
    Object.values(reasons).flat().toSorted(),
  );
});
