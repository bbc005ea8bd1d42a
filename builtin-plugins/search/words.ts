/**
 * Words as the text index compares them: without case, accents and punctuation. The index normalizes
 * its own input; this is for comparisons in the plugin.
 */

const word = /[\p{L}\p{N}\p{M}々ー]+(?:['’][\p{L}\p{N}\p{M}]+)*/gu;
const marks = /\p{Mn}+/gu;
const apostrophes = /['’]/g;

/** At most so many words of a query are used. */
const mostWords = 12;
const longestWord = 64;

/** The words of a query as they were typed, apostrophes inside them kept. */
export function queryWords(q: string): readonly string[] {
  const words = q.slice(0, 1000).normalize('NFKC').match(word) ?? [];
  return words.slice(0, mostWords).map((text) => Array.from(text).slice(0, longestWord).join(''));
}

/** A word without case, accents and apostrophes. */
export function foldWord(text: string): string {
  return text.normalize('NFKD').replace(marks, '').replace(apostrophes, '').toLowerCase();
}

const plain = /^[\x00-\x7f]*$/;
const plainWord = /[a-z0-9]+(?:'[a-z0-9]+)*/g;

/** The normalized words of a title. */
export function titleWords(title: string): readonly string[] {
  if (plain.test(title)) {
    const words = title.slice(0, 1000).toLowerCase().match(plainWord) ?? [];
    return title.includes("'") ? words.map((found) => found.replace(apostrophes, '')) : words;
  }
  return (title.slice(0, 1000).normalize('NFKC').match(word) ?? []).map(foldWord);
}

const romans: readonly string[] = 'i ii iii iv v vi vii viii ix x xi xii xiii xiv xv'.split(' ');

/** Other spellings of a word in a query: without apostrophe, a number in Roman or Arabic digits. */
export function spellingsOf(text: string): readonly string[] {
  const key = foldWord(text);
  const spellings: string[] = [];
  if (text.search(apostrophes) >= 0) spellings.push(key);
  const roman = romans.indexOf(key);
  if (roman > 0) spellings.push(String(roman + 1));
  const arabic = /^\d{1,2}$/.test(key) ? romans[Number(key) - 1] : undefined;
  if (arabic !== undefined && arabic !== 'i') spellings.push(arabic);
  return spellings;
}

/** A title without any of these has one spelling. */
const ambiguous = /['’.&]/;
const acronym = /(?<![\p{L}\p{N}])(?:\p{L}\.){2,12}\p{L}?(?![\p{L}\p{N}])/gu;
const contraction = /[\p{L}\p{N}\p{M}]+(?:['’][\p{L}\p{N}\p{M}]+)+/gu;

/** Words that people type for a title beside its own: `oceans`, `shield`, `and` for `&`. */
export function otherSpellings(title: string): readonly string[] {
  if (!ambiguous.test(title)) return [];
  const text = title.slice(0, 1000);
  const joined = (text.match(contraction) ?? []).map((found) => found.replace(apostrophes, ''));
  const acronyms = (text.match(acronym) ?? []).map((found) => found.replaceAll('.', ''));
  return [...joined, ...acronyms, ...(text.includes('&') ? ['and'] : [])];
}
