import { type ProfileResolver, intersect, type Viewer } from '../viewer/index.ts';
import type { Principal } from './principal.ts';

/** The headers that identify the sender of a request. */
export interface CredentialHeaders {
  readonly authorization?: string | undefined;
  readonly 'x-profile-id'?: string | readonly string[] | undefined;
}

/** The sender of a request, and the limits that the route must check. */
export interface Caller {
  readonly viewer: Viewer;
  /**
   * The profile has a PIN that this credential has not unlocked; only some routes are allowed then.
   */
  readonly isLocked: boolean;
  /** The only routes that the credential may call; `null` = all. */
  readonly routes: readonly string[] | null;
}

/** Identifies the sender of a request; `null` = the credential is missing or not valid. */
export type Authenticate = (headers: CredentialHeaders) => Promise<Caller | null>;

/** The operations of one kind of credential. */
export interface Credentials {
  /**
   * The rights of a token; `null` when it is unknown, expired, or its user is disabled. A kind
   * whose clients must distinguish these cases rejects with an `AppError`.
   */
  readonly principalOf: (token: string) => Promise<Principal | null>;
  /** The same by the id of a credential whose token was checked before. */
  readonly principalOfId: (credentialId: string) => Promise<Principal | null>;
  /** Whether the credential is still valid; for connections that outlive a request. */
  readonly isValid: (credentialId: string) => Promise<boolean>;
}

/** The dependencies of the authentication. */
export interface AuthenticateParts {
  /** By the prefix of their tokens: `vtk_`, `vts_`, `vtl_`, `vti_`. */
  readonly credentials: Readonly<Record<string, Pick<Credentials, 'principalOf'>>>;
  readonly activeProfiles: ProfileResolver;
}

const bearer = /^Bearer +(\S{1,200}) *$/i;

/**
 * Reads `Authorization: Bearer <token>` and `X-Profile-Id`. The prefix of the token gives its kind:
 * `vtk_` is an API key, `vts_` a session, `vti_` a session of an identity app. A token in any other
 * place is ignored, for example in the URL, which is often logged.
 */
export function createAuthenticate({
  credentials,
  activeProfiles,
}: AuthenticateParts): Authenticate {
  const kinds = new Map(Object.entries(credentials));
  return async (headers) => {
    const token = bearer.exec(headers.authorization ?? '')?.[1] ?? '';
    const kind = kinds.get(token.slice(0, 4));
    const principal = kind && (await kind.principalOf(token));
    if (!principal) return null;
    const { userId, credentialId, credentialKind, role, isReadOnly, scope, routes } = principal;
    const profileHeader = headers['x-profile-id'];
    const requestedProfileId =
      typeof profileHeader === 'string' ? profileHeader : (profileHeader?.[0] ?? null);
    const { profileId, visibility, isLocked, locale } = await activeProfiles.resolveProfile({
      userId,
      credentialId,
      role,
      requestedProfileId,
    });
    const viewer: Viewer = {
      credentialId,
      credentialKind,
      userId,
      profileId,
      role,
      isReadOnly,
      visibility: intersect(visibility, scope),
      ...(locale !== undefined && { locale }),
    };
    return { viewer, isLocked, routes };
  };
}
