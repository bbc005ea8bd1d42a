import { canonicalTag } from '../platform/language-tag.ts';

const longestHeader = 500;

/**
 * The preferred language of an `Accept-Language` (RFC 9110), as BCP 47; `null` when there is none.
 */
export function firstLocale(header: string): string | null {
  if (header.length > longestHeader) return null;
  const wanted = header.split(',').flatMap((part) => {
    const [tag = '', ...parameters] = part.split(';').map((text) => text.trim());
    const weight = Number(parameters.find((one) => one.startsWith('q='))?.slice(2) ?? 1);
    const locale = canonicalTag(tag);
    return locale !== null && weight > 0 ? [{ locale, weight }] : [];
  });
  const [first] = wanted.sort((one, other) => other.weight - one.weight);
  return first?.locale ?? null;
}
