/**
 * For whom a secret is kept: for the plugin as a whole, for what it does in one library, or for what it
 * does on behalf of one user or one profile. `profile` is `host.viewer.profile`. While a call runs for a
 * viewer, the plugin uses no secret of another profile, and makes one for this profile alone. A call that
 * runs for no viewer uses the secrets of all profiles, and makes none.
 */
export type SecretScope =
  | 'plugin'
  | { readonly libraryId: string }
  | { readonly userId: string }
  | { readonly profile: string };

/** Names a secret of the plugin. */
export interface SecretName {
  /** `^[a-z][a-zA-Z0-9_.-]{0,63}$` */
  readonly name: string;
  /** `plugin` when absent. */
  readonly scope?: SecretScope;
}

/** What may be known of a secret. Its value is nowhere in it. */
export interface SecretDescription {
  readonly name: string;
  readonly scope: SecretScope;
  /** Where `host.net.fetch` may send it: patterns as in the permission `net`; empty = nowhere, it only signs. */
  readonly hosts: readonly string[];
  /** ISO 8601. */
  readonly updatedAt: string;
}

/**
 * `host.secrets`: values that the host keeps sealed, uses for the plugin, and never shows it. An admin
 * sets them (`PUT /api/plugins/:id/secrets/:name`), or the plugin has one made of random bytes. A header
 * of `host.net.fetch` names one as `{secret:apiKey}`, `{secret:apiKey;library=<id>}`,
 * `{secret:apiKey;user=<id>}` or `{secret:apiKey;profile=<profile>}`; the host puts the value in, for the
 * secret's own hosts alone, after each redirect anew, and takes it out of an answer that echoes it.
 * Permission: `secrets`.
 *
 * Errors: `permission_denied`, `not_found` (also of one that does not open with the server's key any
 * more), `invalid_argument`, `too_large`, `quota_exceeded` (256 secrets, 16 KiB each).
 *
 * @example
 * const { signature } = await host.secrets.sign({ name: 'whsec', messages: [`${id}.${at}.${body}`] });
 */
export interface SecretsService {
  readonly list: (
    input: Readonly<Record<string, never>>,
  ) => Promise<{ readonly secrets: readonly SecretDescription[] }>;
  /** Makes a secret of 32 random bytes, or does nothing where one of this name is. */
  readonly create: (input: SecretName) => Promise<{ readonly created: boolean }>;
  readonly remove: (input: SecretName) => Promise<{ readonly removed: boolean }>;
  /**
   * HMAC of `messages` one after the other: the first is signed with the secret (behind `prefix`, as
   * `AWS4` for AWS Signature 4), each next one with the bytes of the signature before it. At most 8
   * messages of 1 MiB in all. A secret of fewer than 16 bytes signs nothing, since it could be guessed.
   */
  readonly sign: (
    input: SecretName & {
      readonly algorithm?: 'sha256' | 'sha512';
      readonly prefix?: string;
      readonly messages: readonly string[];
      /** `base64` when absent. */
      readonly encoding?: 'base64' | 'hex';
    },
  ) => Promise<{ readonly signature: string }>;
}
