const ascii = /^[\x20-\x7e]*$/;
const accents = /[\u0300-\u036f]/g;
const spaces = /\s+/g;
const articles = ['the ', 'a ', 'an '];

/**
 * A name as it is compared: no case, no Latin, Greek or Cyrillic accents, single spaces. Marks of
 * other scripts stay, for there they are letters.
 */
export function fold(name: string): string {
  if (ascii.test(name)) return singleSpaced(name.toLowerCase());
  const plain = name.normalize('NFKD').replace(accents, '').normalize('NFC');
  return plain.toLowerCase().replace(spaces, ' ').trim();
}

/** Names are folded by the ten thousand, and hardly one has a space too many. */
function singleSpaced(text: string): string {
  return text.includes('  ') ? text.replace(spaces, ' ').trim() : text.trim();
}

/** A title as it is sorted: folded, without an English article in front. */
export function sortTitle(title: string): string {
  return withoutArticle(fold(title));
}

/** The same for a name that is folded already. */
export function withoutArticle(folded: string): string {
  const article = articles.find((one) => folded.startsWith(one));
  return shortened(article === undefined ? folded : folded.slice(article.length));
}

/** Names are told apart and sorted by so many characters; not every database takes longer ones for that. */
const mostCompared = 400;

/** What of a folded name is compared. */
export function shortened(folded: string): string {
  return folded.length <= mostCompared ? folded : folded.slice(0, mostCompared).toWellFormed();
}
