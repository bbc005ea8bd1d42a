/**
 * Secrets in the query of an address: `?api_key={secret:apiKey}`, for services that take their key
 * nowhere else. The address keeps the placeholder everywhere but on the wire. Only secrets of the
 * plugin as a whole may stand there.
 */
import { KernelError } from '../../../kernel/index.ts';

const placeholder = /(?:\{|%7B)secret(?::|%3A)([a-zA-Z][a-zA-Z0-9_.-]{0,63})(?:\}|%7D)/gi;
const begin = /(?:\{|%7B)secret(?::|%3A)/gi;

/** The names in the query; throws `invalid_argument` for a malformed one, or one elsewhere. */
export function querySecretsIn(address: string): readonly string[] {
  const begun = address.match(begin)?.length ?? 0;
  if (begun === 0) return [];
  const query = URL.canParse(address) ? new URL(address).search : '';
  const names = [...query.matchAll(placeholder)].map(([, name = '']) => name);
  if (names.length === begun) return names;
  throw new KernelError(
    'invalid_argument',
    'host.net.fetch: url: a secret is named as {secret:apiKey}, in a parameter of the query only, and must be one of the plugin as a whole.',
  );
}

/** The address with the values in place, only for sending. */
export function revealedQuery(url: URL, valueOf: (name: string) => string | undefined): URL {
  const revealed = new URL(url);
  revealed.search = url.search.replace(placeholder, (whole, name: string) => {
    const value = valueOf(name);
    return value === undefined ? whole : encodeURIComponent(value.toWellFormed());
  });
  return revealed;
}
