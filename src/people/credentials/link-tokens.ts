/**
 * Tokens of links to media, for players that send no headers. A link may end up in a log or a chat,
 * so its token is not a full credential. It allows reading one file, picture or playback session for
 * some hours, with the rights of the credential and profile that created it, and only while both have them. Tokens
 * are not stored: they are signed with a key of the server, and the credential is looked up at each
 * use.
 */
import { createHmac, timingSafeEqual } from 'node:crypto';
import { toTimestamp, type Clock } from '../../platform/clock.ts';
import type { Credentials } from './credentials.ts';
import { opensRoute } from './route-scope.ts';
import type { Viewer } from '../viewer/index.ts';

/** The kinds of media that a link can open. */
export const linkKinds = ['file', 'asset', 'session'] as const;

export interface LinkedMedia {
  readonly kind: (typeof linkKinds)[number];
  readonly id: string;
}

export interface LinkTokens extends Pick<Credentials, 'principalOf'> {
  readonly create: (
    media: LinkedMedia,
    viewer: Pick<Viewer, 'credentialId' | 'profileId'>,
    lifetimeSeconds: number,
  ) => { readonly token: string; readonly expiresAt: string };
  /** The media and the profile of a token; `null` for one that is forged or expired. */
  readonly read: (token: string) => (LinkedMedia & { readonly profileId: string }) | null;
}

export interface LinkTokensParts {
  readonly key: Buffer;
  readonly clock: Clock;
  /** The current rights of a credential, by its id. */
  readonly principalOfId: Credentials['principalOfId'];
}

const form =
  /^vtl_(file|asset|session)\.([\w-]{1,40})\.([0-9a-z]{1,9})\.([\w-]{1,40})\.([\w-]{1,40})$/;

/**
 * The routes that a link opens, as they are declared: of a file its bytes and the texts and fonts for
 * its player, of a session all that is below its token.
 */
const routes: Readonly<Record<LinkedMedia['kind'], readonly string[]>> = {
  file: [
    '/api/files/:id/stream',
    '/api/files/:id/text/:track',
    '/api/files/:id/fonts',
    '/api/files/:id/fonts/:index',
  ],
  asset: ['/api/assets/:id'],
  session: ['/api/playback/sessions/:id/:link/*'],
};

/** Creates the link tokens with a key that is used for nothing else. */
export function createLinkTokens({ key, clock, principalOfId }: LinkTokensParts): LinkTokens {
  const macOf = (claims: string): string =>
    createHmac('sha256', key).update(claims).digest('base64url');

  function claimsOf(token: string) {
    const end = token.lastIndexOf('.');
    const claims = token.slice(0, Math.max(0, end));
    const [, kind, id, seconds, credentialId, profileId] = form.exec(claims) ?? [];
    if (id === undefined || credentialId === undefined || profileId === undefined) return null;
    if (!isSame(token.slice(end + 1), macOf(claims))) return null;
    if (parseInt(seconds ?? '', 36) * 1000 <= clock.now()) return null;
    const known = linkKinds.find((one) => one === kind);
    return known === undefined ? null : { kind: known, id, credentialId, profileId };
  }

  return {
    create: ({ kind, id }, { credentialId, profileId }, lifetimeSeconds) => {
      const endsAt = Math.floor(clock.now() / 1000) + lifetimeSeconds;
      const claims = `vtl_${kind}.${id}.${endsAt.toString(36)}.${credentialId}.${profileId}`;
      if (!form.test(claims)) throw new Error(`No link can name ${claims}.`);
      return { token: `${claims}.${macOf(claims)}`, expiresAt: toTimestamp(endsAt * 1000) };
    },
    read: claimsOf,
    principalOf: async (token) => {
      const claims = claimsOf(token);
      const principal = claims && (await principalOfId(claims.credentialId));
      if (!claims || !principal) return null;
      const mayOpen = principal.routes ?? ['* /api/*'];
      const open = routes[claims.kind].filter((route) =>
        opensRoute(mayOpen, { method: 'GET', route }),
      );
      if (open.length === 0) return null;
      return { ...principal, isReadOnly: true, routes: open.map((route) => `GET ${route}`) };
    },
  };
}

function isSame(given: string, expected: string): boolean {
  const [one, other] = [Buffer.from(given), Buffer.from(expected)];
  return one.length === other.length && timingSafeEqual(one, other);
}
