import type { Visibility, CredentialKind, Role } from '../viewer/index.ts';

/** The rights of a credential, before the profile of the request is resolved. */
export interface Principal {
  readonly credentialId: string;
  readonly credentialKind: CredentialKind;
  readonly userId: string;
  /** The credential's role, never higher than the current role of its user. */
  readonly role: Role;
  readonly isReadOnly: boolean;
  /** The libraries that the credential is limited to. */
  readonly scope: Visibility;
  /** The only routes that the credential may call, such as `GET /api/items`; `null` = all. */
  readonly routes: readonly string[] | null;
}
