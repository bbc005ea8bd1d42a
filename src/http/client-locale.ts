import type { FastifyRequest } from 'fastify';
import type { Viewer } from '../people/viewer/index.ts';
import { viewerOf } from './access.ts';

const longestHeader = 500;
const longestLocale = 35;

/** The viewer with the language of the client: for routes that call a plugin. */
export function personOf(request: FastifyRequest): Viewer {
  const viewer = viewerOf(request);
  const locale = firstLocale(request.headers['accept-language'] ?? '');
  return locale === null ? viewer : { ...viewer, locale };
}

/**
 * The preferred language of an `Accept-Language` (RFC 9110), as BCP 47; `null` when there is none.
 */
export function firstLocale(header: string): string | null {
  if (header.length > longestHeader) return null;
  const wanted = header.split(',').flatMap((part) => {
    const [tag = '', ...parameters] = part.split(';').map((text) => text.trim());
    const weight = Number(parameters.find((one) => one.startsWith('q='))?.slice(2) ?? 1);
    const locale = canonical(tag);
    return locale !== null && weight > 0 ? [{ locale, weight }] : [];
  });
  const [first] = wanted.sort((one, other) => other.weight - one.weight);
  return first?.locale ?? null;
}

function canonical(tag: string): string | null {
  if (tag === '' || tag.length > longestLocale) return null;
  try {
    return Intl.getCanonicalLocales(tag)[0] ?? null;
  } catch {
    return null;
  }
}
