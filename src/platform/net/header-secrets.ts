/**
 * Secrets in the headers of a request, or in its query. A plugin writes `{secret:apiKey}` in place of the value, and
 * the server inserts the value at the last moment, only for the secret's own hosts, again at each
 * hop of a redirect. The value and everything derived from it is never stored, counted, logged or
 * thrown.
 */
import { coversHost, KernelError } from '../../../kernel/index.ts';
import { headerText, type OpenedSecret } from '../../../kernel/run/secrets/index.ts';
import type { SecretName } from '../../../plugin-api/index.ts';
import type { Headers } from './header-rules.ts';
import { querySecretsIn, revealedQuery } from './query-secrets.ts';
import { createSecretMask, type SecretMask } from './secret-mask.ts';

/** Finds a secret of a plugin; `null` when there is none. */
export type OpenSecret = (pluginId: string, name: SecretName) => Promise<OpenedSecret | null>;

export interface RequestSecrets {
  /**
   * The headers for a host, still without values. A secret that is not for the host is refused, or,
   * after a redirect, left out with its header.
   */
  readonly headersFor: (headers: Headers, host: string, isRedirect: boolean) => Headers;
  /** With the values in place, only for sending. */
  readonly revealed: (headers: Headers) => Headers;
  /** Throws when the query names a secret that is not for the host. */
  readonly assertQuery: (url: string, host: string) => void;
  /** The address with the values in its query, only for sending. */
  readonly revealedUrl: (url: URL) => URL;
  /** Distinguishes cached responses to requests with other values. */
  readonly version: string;
  readonly mask: SecretMask;
  /** Whether an address contains a value that the host must not get. */
  readonly leaksTo: (url: URL, host: string) => boolean;
}

const placeholder = /\{secret:([^{}]*)\}/g;
const wellFormed =
  /^([a-z][a-zA-Z0-9_.-]{0,63})(?:;(library|user|profile)=([A-Za-z0-9_-]{1,200}))?$/;
const mostPlaceholders = 10;

/** The names in these headers and this address; throws `invalid_argument` for a malformed one. */
export function secretsIn(headers: Headers, url: string): readonly string[] {
  const texts = Object.values(headers).flatMap((value) => {
    const found = [...value.matchAll(placeholder)].map(([, text = '']) => text);
    const begun = value.split('{secret:').length - 1;
    if (found.length === begun && found.every((text) => wellFormed.test(text))) return found;
    throw new KernelError(
      'invalid_argument',
      'host.net.fetch: headers: a secret is named as {secret:apiKey}, {secret:apiKey;library=<id>}, {secret:apiKey;user=<id>} or {secret:apiKey;profile=<profile>}.',
    );
  });
  const names = [...new Set([...texts, ...querySecretsIn(url)])];
  if (names.length <= mostPlaceholders) return names;
  throw new KernelError(
    'invalid_argument',
    `host.net.fetch: a request names more than ${mostPlaceholders} secrets.`,
  );
}

/** Opens the secrets that a request names; `null` when it names none. */
export async function openSecrets(
  { headers, url }: { readonly headers: Headers; readonly url: string },
  open: (name: SecretName) => Promise<OpenedSecret | null>,
): Promise<RequestSecrets | null> {
  const names = secretsIn(headers, url);
  if (names.length === 0) return null;
  const opened = new Map<string, SentSecret>();
  for (const text of names) opened.set(text, await openOne(text, open));
  return requestSecrets(opened);
}

interface SentSecret extends OpenedSecret {
  readonly text: string;
}

async function openOne(
  text: string,
  open: (name: SecretName) => Promise<OpenedSecret | null>,
): Promise<SentSecret> {
  const name = parseName(text);
  const secret = await open(name);
  if (!secret) throw new KernelError('not_found', `Secret ${text}`);
  const value = headerText(secret.value);
  if (value !== null && secret.hosts.length > 0) return { ...secret, text: value };
  throw new KernelError(
    'permission_denied',
    `secrets: ${text} is not sent to hosts; it only signs`,
  );
}

function parseName(text: string): SecretName {
  const [, name = '', kind, id = ''] = wellFormed.exec(text) ?? [];
  if (kind === undefined) return { name };
  if (kind === 'library') return { name, scope: { libraryId: id } };
  return { name, scope: kind === 'user' ? { userId: id } : { profile: id } };
}

function requestSecrets(opened: ReadonlyMap<string, SentSecret>): RequestSecrets {
  const isFor = ({ hosts }: OpenedSecret, host: string): boolean =>
    hosts.some((pattern) => coversHost(pattern, host));
  const values = [...opened.values()];
  const single = values.map((secret) => ({ secret, mask: createSecretMask([secret.text]) }));

  return {
    headersFor: (headers, host, isRedirect) => {
      const kept = Object.entries(headers).filter(([, value]) => {
        const stranger = namesIn(value).find((name) => {
          const secret = opened.get(name);
          return !secret || !isFor(secret, host);
        });
        if (stranger === undefined) return true;
        if (isRedirect) return false;
        throw new KernelError('permission_denied', `secrets: ${stranger} for ${host}`);
      });
      return Object.fromEntries(kept);
    },
    revealed: (headers) =>
      Object.fromEntries(
        Object.entries(headers).map(([name, value]) => [
          name,
          value.replace(placeholder, (whole, text: string) => opened.get(text)?.text ?? whole),
        ]),
      ),
    assertQuery: (url, host) => {
      const stranger = querySecretsIn(url).find((name) => {
        const secret = opened.get(name);
        return !secret || !isFor(secret, host);
      });
      if (stranger !== undefined)
        throw new KernelError('permission_denied', `secrets: ${stranger} for ${host}`);
    },
    revealedUrl: (url) => revealedQuery(url, (name) => opened.get(name)?.text),
    version: values.map(({ version }) => version).join(' '),
    mask: createSecretMask(values.map(({ text }) => text)),
    leaksTo: (url, host) =>
      single.some(({ secret, mask }) => {
        // A host name is resolved in clear text, for any target.
        if (mask.isIn(url.hostname)) return true;
        return !isFor(secret, host) && mask.isIn(decoded(url));
      }),
  };
}

const namesIn = (value: string): readonly string[] =>
  [...value.matchAll(placeholder)].map(([, text = '']) => text);

function decoded(url: URL): string {
  try {
    return `${url.href} ${decodeURIComponent(url.href)}`;
  } catch {
    return url.href;
  }
}
