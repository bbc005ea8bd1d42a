/**
 * How names of entities are compared, and how a credit of several names is read. All of it is pure.
 */
import { normalizeName, truncateForCompare, withoutArticle } from '../tables/normalize-name.ts';

const plain = /^[a-z0-9 ]*$/;
const quotes = /['’‘ʼ´`"“”„«»]/g;
const joiners = / [&+] /g;
const otherPunctuation = /[^\p{L}\p{N}\p{M}\p{S}&#%*@ ]+/gu;
const spaces = / {2,}/g;
const articleBehind =
  /^(.+), (the|a|an|der|die|das|le|la|les|los|las|el|il|lo|gli|de|het|een|os|as)$/;
const lastNameFirst = /^([^,]+), ([^,]+)$/;
const suffixes = /^(?:jr|sr|ii|iii|iv|phd|md|esq)\.?$/;

/**
 * A name as it is compared with others of its type. Beyond `normalizeName`, it ignores differences between a
 * tag, a folder and a sidecar for the same name: `Beatles, The`, `Tolkien, J. R. R.`, `AC-DC` for
 * `AC/DC`, `Simon and Garfunkel`, typographic quotes. A name of punctuation alone stays.
 */
export function nameKey(type: string, name: string): string {
  return keyOfFolded(type, normalizeName(name));
}

/** The same, and the sort name. */
export function namesOf(
  type: string,
  name: string,
): { readonly nameKey: string; readonly sortName: string } {
  const folded = normalizeName(name);
  return { nameKey: keyOfFolded(type, folded), sortName: withoutArticle(folded) };
}

function keyOfFolded(type: string, name: string): string {
  const folded = truncateForCompare(name);
  if (plain.test(folded)) return folded;
  const key = inSpokenOrder(type, folded)
    .replace(joiners, ' and ')
    .replace(quotes, '')
    .replace(otherPunctuation, ' ')
    .replace(spaces, ' ')
    .trim();
  return key === '' ? folded : key;
}

function inSpokenOrder(type: string, folded: string): string {
  if (!folded.includes(', ')) return folded;
  if (type !== 'person') return folded.replace(articleBehind, '$2 $1');
  const [, last = '', first = ''] = lastNameFirst.exec(folded) ?? [];
  return last === '' || suffixes.test(first) ? folded : `${first} ${last}`;
}

const yearBehind = /^(.*\S) ?[([](\d{4})[)\]]$/;

/** `Battlestar Galactica (2003)` as a name and a year; null where no year follows the name. */
export function splitYear(name: string): { readonly name: string; readonly year: number } | null {
  const [, rest, year] = yearBehind.exec(name) ?? [];
  return rest === undefined || year === undefined ? null : { name: rest, year: Number(year) };
}

const featuring = /[\s([](?:feat\.?|ft\.?|featuring)\s/i;

/** `A (feat. B)` as main and featured artist; null where there is no featured artist. */
export function splitFeatured(
  name: string,
): { readonly lead: string; readonly featured: string } | null {
  const found = featuring.exec(name);
  if (found === null) return null;
  const lead = name.slice(0, found.index).replace(/[\s([]+$/, '');
  const rest = name.slice(found.index + found[0].length).trim();
  const featured = /[([]/.test(found[0] + name.charAt(found.index - 1)) ? unclosed(rest) : rest;
  return lead === '' || featured === '' ? null : { lead, featured };
}

const unclosed = (text: string): string => text.replace(/[)\]]\s*$/, '').trim();

const joints = /\s*[;,]\s*|\s+(?:&|\+|and|x|vs\.?|\/)\s+/i;
const mostParts = 8;

/**
 * The possible parts of `A & B` or `A, B and C`. A name cannot tell whether it is several artists
 * or one (`Earth, Wind & Fire`): the caller checks whether each part is known separately.
 */
export function jointParts(name: string): readonly string[] {
  const parts = name.split(joints);
  const isJoint = parts.length > 1 && parts.length <= mostParts;
  return isJoint && parts.every((part) => part !== '') ? parts : [];
}
