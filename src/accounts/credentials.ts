import type { Acting } from './acting.ts';
import type { Principal } from './principal.ts';
import { narrowed } from './sight.ts';
import type { Viewer } from './viewer.ts';

/** What a request says about who sends it. */
export interface CredentialHeaders {
  readonly authorization?: string | undefined;
  readonly 'x-profile-id'?: string | readonly string[] | undefined;
}

/** Who sends a request, and what its door must look at. */
export interface Caller {
  readonly viewer: Viewer;
  /** The profile has a PIN that this credential has not told; only some routes work then. */
  readonly isLocked: boolean;
  /** The only routes that the credential opens; `null` = all. */
  readonly routes: readonly string[] | null;
}

/** Tells who sends a request; `null` = nobody that the server knows. */
export type Authenticate = (headers: CredentialHeaders) => Promise<Caller | null>;

/** What one kind of credential can do. */
export interface Credentials {
  /**
   * Whom a token stands for; `null` when it is unknown, expired, or its user is switched off. A kind
   * whose clients must know which of these it is rejects with an `AppError` that says so.
   */
  readonly principalOf: (token: string) => Promise<Principal | null>;
  /** The same for a credential whose token was shown before, by its id. */
  readonly principalOfId: (credentialId: string) => Promise<Principal | null>;
  /** Whether the credential is still good: for connections that outlive a request. */
  readonly isValid: (credentialId: string) => Promise<boolean>;
}

/** What signing in is made of. */
export interface AuthenticateParts {
  /** By the prefix of their tokens: `vtk_`, `vts_`, `vtl_`, `vti_`. */
  readonly credentials: Readonly<Record<string, Pick<Credentials, 'principalOf'>>>;
  readonly acting: Acting;
}

const bearer = /^Bearer +(\S{1,200}) *$/i;

/**
 * Reads `Authorization: Bearer <token>` and `X-Profile-Id`. The prefix of the token says what it is:
 * `vtk_` is an API key, `vts_` a session, `vti_` that of an app of an identity. A token anywhere else - in the URL, say, which ends up in
 * logs - is none.
 */
export function createAuthenticate({ credentials, acting }: AuthenticateParts): Authenticate {
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
    const { profileId, sight, isLocked } = await acting.actAs({
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
      sight: narrowed(sight, scope),
    };
    return { viewer, isLocked, routes };
  };
}
