const ascii = /^[\x20-\x7e]*$/;
const accents = /[\u0300-\u036f]/g;
const spaces = /\s+/g;
const articles = ['the ', 'a ', 'an '];

/**
 * A name as it is compared: lower case, without Latin, Greek or Cyrillic accents, single spaces.
 * Marks of other scripts stay, because they are letters there.
 */
export function normalizeName(name: string): string {
  if (ascii.test(name)) return singleSpaced(name.toLowerCase());
  const plain = name.normalize('NFKD').replace(accents, '').normalize('NFC');
  return plain.toLowerCase().replace(spaces, ' ').trim();
}

/** Most names need no change, so it is tested first. */
function singleSpaced(text: string): string {
  return text.includes('  ') ? text.replace(spaces, ' ').trim() : text.trim();
}

/** A title as it is sorted: folded, without a leading English article. */
export function sortTitle(title: string): string {
  return withoutArticle(normalizeName(title));
}

/** The same for a folded name. */
export function withoutArticle(folded: string): string {
  const article = articles.find((one) => folded.startsWith(one));
  return truncateForCompare(article === undefined ? folded : folded.slice(article.length));
}

/**
 * Names are compared and sorted by this many characters: not every database indexes longer ones.
 */
const mostCompared = 400;

/** The compared part of a folded name. */
export function truncateForCompare(folded: string): string {
  return folded.length <= mostCompared ? folded : folded.slice(0, mostCompared).toWellFormed();
}
