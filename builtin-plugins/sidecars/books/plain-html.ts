import { decodeEntities } from '../xml/entities.ts';

/** The text of a description that may contain HTML: paragraphs become lines, tags are removed. */
export function plainText(html: string): string {
  if (!html.includes('<')) return decodeEntities(html);
  const lines = html
    .slice(0, 100_000)
    .replace(/<(?:br|\/p|\/div|\/li|\/h[1-6])\b[^<>]{0,200}>/gi, '\n')
    .replace(/<\/?[a-z][^<>]{0,1000}>/gi, '');
  return decodeEntities(lines)
    .split('\n')
    .map((line) => line.trim())
    .join('\n')
    .replace(/\n{3,}/g, '\n\n')
    .trim();
}
