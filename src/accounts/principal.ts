import type { Sight } from './sight.ts';
import type { CredentialKind, Role } from './viewer.ts';

/** What a credential says, before it is known as which profile its user acts. */
export interface Principal {
  readonly credentialId: string;
  readonly credentialKind: CredentialKind;
  readonly userId: string;
  /** The credential's role, never more than what its user has now. */
  readonly role: Role;
  readonly isReadOnly: boolean;
  /** The libraries that the credential is limited to. */
  readonly scope: Sight;
  /** The only routes that the credential opens, as `GET /api/items`; `null` = all. */
  readonly routes: readonly string[] | null;
}
