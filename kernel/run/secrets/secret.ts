/** Names, scopes and values of stored secrets. */
import { KernelError } from '../../errors.ts';
import { quoted } from '../../foreign-text.ts';
import type { Reach } from '../../call/reach.ts';
import type { SecretDescription, SecretName, SecretScope } from '../../../plugin-api/index.ts';

/** A secret as an admin or the server sets it. */
export interface NewSecret extends SecretName {
  readonly value: string;
  /** The encoding of `value`; `utf8` when absent. */
  readonly encoding?: 'utf8' | 'base64';
  /** Where `host.net.fetch` may send it; nowhere when absent. */
  readonly hosts?: readonly string[];
}

/** A secret as an admin sees it, without its value. */
export interface KeptSecret extends SecretDescription {
  /** It was sealed with a key that this server no longer has: an admin must set it again. */
  readonly isLost: boolean;
}

export interface OpenedSecret {
  readonly value: Uint8Array;
  readonly hosts: readonly string[];
  /** Changes whenever the secret is set; reveals nothing of the value. */
  readonly version: string;
}

/** The limit of one plugin, without the secrets of profiles. */
export const mostSecrets = 256;
/** The limit of each profile in one plugin: more than a form can have fields. */
export const mostSecretsOfProfile = 64;
export const longestSecretBytes = 16_384;
/** A shorter value is too easy to guess, and masking it would mask ordinary words. */
const shortestBytes = 4;
const mostHosts = 20;

/** Whether a plugin of this reach may use it: a secret of a library needs the library. */
export function reachesSecret(reach: Reach, { scope = 'plugin' }: SecretName): boolean {
  if (reach === 'all' || scope === 'plugin' || !('libraryId' in scope)) return true;
  return reach.some(({ id }) => id === scope.libraryId);
}

/**
 * A scope as tables and messages spell it: `plugin`, `library:<id>`, `user:<id>`,
 * `profile:<profile>`.
 */
export function scopeText(scope: SecretScope = 'plugin'): string {
  if (scope === 'plugin') return scope;
  if ('libraryId' in scope) return `library:${scope.libraryId}`;
  return 'userId' in scope ? `user:${scope.userId}` : `profile:${scope.profile}`;
}

/** Whether the text of a scope names a profile. */
export const isProfileScope = (text: string): boolean => text.startsWith('profile:');

/** Parses the text of a scope. */
export function scopeOf(text: string): SecretScope {
  const [, kind, id = ''] = /^(library|user|profile):(.*)$/s.exec(text) ?? [];
  if (kind === 'library') return { libraryId: id };
  if (kind === 'profile') return { profile: id };
  return kind === 'user' ? { userId: id } : 'plugin';
}

/** The name of a secret for messages. */
export function secretText({ name, scope = 'plugin' }: SecretName): string {
  return scope === 'plugin' ? `Secret ${name}` : `Secret ${name} of ${scopeText(scope)}`;
}

/** Throws `invalid_argument` for an invalid name. */
export function assertSecretName({ name }: SecretName): void {
  if (/^[a-z][a-zA-Z0-9_.-]{0,63}$/.test(name)) return;
  throw refusal(
    `${quoted(name)} is not a name of a secret; right is a small letter first, then at most 63 letters, digits, _, . and -, such as apiKey.`,
  );
}

/** The bytes of a value; throws `invalid_argument` for invalid base64 or a wrong length. */
export function bytesOf({ value, encoding = 'utf8' }: NewSecret): Buffer {
  const bytes = Buffer.from(value, encoding);
  if (encoding === 'base64' && !isSameBase64(bytes, value))
    throw refusal('value is not base64 (RFC 4648, + and /).');
  if (bytes.length < shortestBytes || bytes.length > longestSecretBytes)
    throw refusal(
      `value has ${bytes.length} bytes; a secret has ${shortestBytes} to ${longestSecretBytes}.`,
    );
  return bytes;
}

const isSameBase64 = (bytes: Buffer, text: string): boolean =>
  bytes.toString('base64').replace(/=+$/, '') === text.trim().replace(/=+$/, '');

const hostPattern =
  /^(\*|\[[0-9a-f:]+\]|(\*\.)?[a-z0-9]([a-z0-9-]*[a-z0-9])?(\.[a-z0-9]([a-z0-9-]*[a-z0-9])?)*)(:[1-9][0-9]{0,4})?$/;

/** Host patterns that a secret may be sent to; empty for a value that does not fit a header. */
export function parseHosts({ hosts = [] }: NewSecret, value: Buffer): readonly string[] {
  if (hosts.length > mostHosts) throw refusal(`hosts has more than ${mostHosts} entries.`);
  const wrong = hosts.find((host) => host.length > 259 || !hostPattern.test(host) || host === '*');
  if (wrong !== undefined)
    throw refusal(
      `hosts: ${quoted(wrong)} is not a host that a secret may be sent to; right is api.example.org, or *.example.org for every host below it, with :8443 after it for one port.`,
    );
  if (hosts.length > 0 && headerText(value) === null)
    throw refusal(
      'value is not a single line of Latin-1, so no header can hold it; leave hosts out.',
    );
  return [...new Set(hosts)];
}

/** The value as header text; `null` when it does not fit a header. */
export function headerText(value: Uint8Array): string | null {
  const text = Buffer.from(value).toString('utf8');
  const isWhole = Buffer.from(text).equals(value);
  return isWhole && /^[\t\x20-\x7e\x80-\xff]*$/.test(text) ? text : null;
}

export const refusal = (what: string): KernelError => new KernelError('invalid_argument', what);
