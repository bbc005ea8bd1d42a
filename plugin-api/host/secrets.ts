/**
 * The owner of a secret: the plugin as a whole, its work in one library, or its work for one user or
 * one profile. `profile` is `host.viewer.profile`. While a call runs for a viewer, the plugin cannot
 * use secrets of other profiles, and can create one for this profile only. A call without a viewer
 * can use the secrets of all profiles, but create none.
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

/** What a plugin may know about a secret, without its value. */
export interface SecretDescription {
  readonly name: string;
  readonly scope: SecretScope;
  /**
   * Where `host.net.fetch` may send it: patterns as in the permission `net`; empty = nowhere, it only
   * signs.
   */
  readonly hosts: readonly string[];
  /** ISO 8601. */
  readonly updatedAt: string;
}

/**
 * `host.secrets`: values that the host stores encrypted and uses for the plugin, which never sees
 * them. An admin sets them (`PUT /api/plugins/:id/secrets/:name`), or the plugin creates one of
 * random bytes. A header of `host.net.fetch` names one as `{secret:apiKey}`,
 * `{secret:apiKey;library=<id>}`, `{secret:apiKey;user=<id>}` or `{secret:apiKey;profile=<profile>}`.
 * The host inserts the value only for the secret's own hosts, checks this again after each redirect,
 * and removes the value from an answer that repeats it. Permission: `secrets`.
 *
 * Errors: `permission_denied`, `not_found` (also for one that no longer opens with the server's key),
 * `invalid_argument`, `too_large`, `quota_exceeded` (256 secrets and 64 for each profile, 16 KiB each).
 *
 * @example
 * const { signature } = await host.secrets.sign({ name: 'whsec', messages: [`${id}.${at}.${body}`] });
 */
export interface SecretsService {
  readonly list: (
    input: Readonly<Record<string, never>>,
  ) => Promise<{ readonly secrets: readonly SecretDescription[] }>;
  /** Creates a secret of 32 random bytes, or does nothing when the name exists. */
  readonly create: (input: SecretName) => Promise<{ readonly created: boolean }>;
  readonly remove: (input: SecretName) => Promise<{ readonly removed: boolean }>;
  /**
   * The hash, in hex, of texts and secrets one after the other, for services that sign requests so:
   * Last.fm takes the MD5 of the parameters and a secret. At most 32 parts and 1 MiB of texts. A secret
   * of fewer than 16 bytes is refused, since it could be guessed.
   */
  readonly digest: (input: {
    readonly algorithm: 'md5' | 'sha256';
    readonly parts: readonly (string | SecretName)[];
  }) => Promise<{ readonly digest: string }>;
  /**
   * HMAC of `messages` one after the other: the first is signed with the secret (after `prefix`, such
   * as `AWS4` for AWS Signature 4), each next one with the bytes of the signature before it. At most
   * 8 messages of 1 MiB in all. A secret of fewer than 16 bytes is refused, since it could be
   * guessed.
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
