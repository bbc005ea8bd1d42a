import { silentLog } from '../../../kernel/index.ts';
import {
  fullVisibility,
  visibilityOfLibraries,
  type Role,
  type Viewer,
} from '../../../src/people/viewer/index.ts';
import { systemClock } from '../../../src/platform/clock.ts';
import {
  createHttpApp,
  type HttpApp,
  type HttpParts,
  type Mount,
} from '../../../src/http/index.ts';
import { createBackgroundScheduler } from '../../../src/platform/background-scheduler.ts';
import { createUuidV7 } from '../../../src/platform/uuid-v7.ts';

/** Viewers by the token that a test sends for them. */
export const testViewers: Readonly<Record<string, Viewer>> = {
  admin: viewer('admin'),
  user: viewer('user'),
  guest: viewer('guest'),
  'read-only': { ...viewer('admin'), isReadOnly: true },
  'admin-of-films': { ...viewer('admin'), visibility: visibilityOfLibraries(['films']) },
  'guest-of-films': { ...viewer('guest'), visibility: visibilityOfLibraries(['films']) },
};

/** The header that makes a request one of `testViewers`. */
export const bearer = (name: string): { readonly authorization: string } => ({
  authorization: `Bearer ${name}`,
});

/** No proxy, no other origin, and no link. */
export const testSecurity: HttpParts['security'] = {
  trustedProxies: [],
  corsOrigins: [],
  connectionsPerAddress: 0,
  csrfKey: Buffer.alloc(32),
  readLink: () => null,
  publicUrl: null,
};

/**
 * A server with these routes, whose every reply is checked against its schema. The caller
 * closes it: `onTestFinished(() => app.close())`.
 */
export const createTestApp = (
  routes: readonly Mount[],
  parts: Partial<HttpParts> = {},
): Promise<HttpApp> =>
  createHttpApp({
    routes,
    authenticate: async ({ authorization = '' }) => {
      const viewer = testViewers[authorization.slice('Bearer '.length)];
      return viewer ? { viewer, isLocked: false, routes: null } : null;
    },
    hasActiveLicense: () => false,
    security: testSecurity,
    readiness: () => 'ready',
    background: createBackgroundScheduler(systemClock),
    newId: createUuidV7({ now: Date.now }),
    log: silentLog,
    version: '0.0.0-test',
    checksReplies: true,
    ...parts,
    // Refusals wait in tests of their own.
    limits: { refusalMs: 0, ...parts.limits },
  });

function viewer(role: Role): Viewer {
  return {
    credentialId: `key-of-${role}`,
    credentialKind: 'api-key',
    userId: `key-of-${role}`,
    profileId: `profile-of-${role}`,
    role,
    isReadOnly: false,
    visibility: fullVisibility,
  };
}
