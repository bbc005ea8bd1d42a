import { closed, type MethodRecords } from '../server/method-record.ts';

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

const own = { permission: { name: 'secrets' }, scope: 'secret', viewer: 'secret' } as const;
const id = { type: 'string', pattern: '^[A-Za-z0-9_-]{1,200}$', description: 'an id' } as const;
const name = {
  type: 'string',
  pattern: '^[a-z][a-zA-Z0-9_.-]{0,63}$',
  description: 'a small letter first, then at most 63 letters, digits, _, . and -, such as apiKey',
} as const;
const scope = {
  anyOf: [
    { const: 'plugin' },
    closed({ libraryId: id }),
    closed({ userId: id }),
    closed({ profile: id }),
  ],
} as const;
/** Messages are JSON strings, in which some characters are escaped. */
const longestInput = 4 * 1_048_576;

/** What the server knows of each method. @internal */
export const secretsMethods = {
  list: {
    ...own,
    scope: 'filtered',
    viewer: 'filtered',
    done: { english: 'listed its secrets', german: 'seine Geheimnisse aufgelistet' },
  },
  create: {
    ...own,
    needs: { name },
    takes: { scope },
    done: { english: 'made a secret', german: 'ein Geheimnis angelegt' },
  },
  remove: {
    ...own,
    needs: { name },
    takes: { scope },
    done: { english: 'removed a secret', german: 'ein Geheimnis entfernt' },
  },
  digest: {
    ...own,
    scope: 'secrets',
    viewer: 'secrets',
    needs: {
      algorithm: { enum: ['md5', 'sha256'] },
      parts: {
        type: 'array',
        minItems: 1,
        maxItems: 32,
        items: { anyOf: [{ type: 'string', maxLength: 262_144 }, closed({ name }, { scope })] },
      },
    },
    maxLength: longestInput,
    done: {
      english: 'computed a checksum with a secret',
      german: 'eine Prüfsumme mit einem Geheimnis berechnet',
    },
  },
  sign: {
    ...own,
    needs: {
      name,
      messages: {
        type: 'array',
        minItems: 1,
        maxItems: 8,
        items: { type: 'string', maxLength: 1_048_576 },
      },
    },
    takes: {
      scope,
      algorithm: { enum: ['sha256', 'sha512'] },
      prefix: { type: 'string', maxLength: 64 },
      encoding: { enum: ['base64', 'hex'] },
    },
    maxLength: longestInput,
    done: { english: 'signed with a secret', german: 'mit einem Geheimnis signiert' },
  },
} as const satisfies MethodRecords<SecretsService>;
