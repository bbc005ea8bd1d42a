import { extraFolders, extraSuffixes, type Classification } from '../words/extra-words.ts';

const anySeparator: ReadonlySet<string> = new Set([
  'trailer',
  'sample',
  'behindthescenes',
  'teaser',
]);
/** After a codec, `-scene` is the name of a group. */
const behindRelease =
  /(?:[xh]\.?26[45]|xvid|divx|hevc|avc|aac|ac3|dts|flac|\d{3,4}p|hdtv|web|bluray|\d)$/;
/** Words that are also names of groups. */
const groups: ReadonlySet<string> = new Set(['scene', 'short', 'clip', 'other', 'extra']);
const sampleAhead = /^sample[-_.]/i;
/** Which of the words are suffixes with a number. */
const longestSuffix = 24;
const separators = /[-._ ]+/g;

/** Folders of extras beside a film: beside a show they hold specials. */
export const filmExtraFolders: ReadonlySet<string> = new Set(['sp', 'sps']);

const none: ReadonlySet<string> = new Set();

/** A folder, below another one, that makes everything in it an extra; `further` names more of them. */
export function extraFolder(
  folders: readonly string[],
  further = none,
): { readonly classification: Classification; readonly depth: number } | undefined {
  for (let depth = folders.length - 1; depth > 0; depth -= 1) {
    const words = (folders[depth] ?? '').toLowerCase().replace(separators, ' ').trim();
    const named = words.length > 40 ? undefined : extraFolders.get(words);
    const classification = named ?? (further.has(words) ? 'extra' : undefined);
    if (classification !== undefined) return { classification, depth };
  }
  return undefined;
}

/** What a name says of an extra, and the rest of the name. */
interface ExtraName {
  readonly classification: Classification;
  readonly rest: string;
}

/** `Title-trailer`, `release-sample`, `Title (2001) - Trailer`, `sample`: the word for an extra in the stem. */
export function extraSuffix(stem: string): ExtraName | undefined {
  const lower = stem.slice(-40).toLowerCase();
  if (lower === 'sample') return { classification: 'extra', rest: '' };
  if (lower === 'trailer') return { classification: 'trailer', rest: '' };
  if (sampleAhead.test(stem)) return { classification: 'extra', rest: stem.slice(7) };
  return spokenSuffix(stem, lower) ?? joinedSuffix(stem, lower);
}

/** After a bracket, and so after the title: `Title (2001) Trailer`. */
function spokenSuffix(stem: string, lower: string): ExtraName | undefined {
  const at = Math.max(lower.lastIndexOf(') '), lower.lastIndexOf('] '));
  if (at < 0) return undefined;
  const classification = extraFolders.get(lower.slice(at + 1).replace(/^ (?:- )?/, ''));
  if (classification === undefined) return undefined;
  return { classification, rest: stem.slice(0, stem.length - lower.length + at + 1) };
}

function joinedSuffix(stem: string, lower: string): ExtraName | undefined {
  const at = Math.max(lower.lastIndexOf('-'), lower.lastIndexOf('.'), lower.lastIndexOf('_'));
  if (at < 0 || lower.length - at > longestSuffix) return undefined;
  const word = lower.slice(at + 1).trim();
  const classification = extraSuffixes.get(word) ?? extraSuffixes.get(word.replace(/\d{1,2}$/, ''));
  if (classification === undefined) return undefined;
  const isAnywhere = anySeparator.has(word);
  const isGroup = groups.has(word) && behindRelease.test(lower.slice(0, at));
  const isAttached = lower.charAt(at) === '-' && lower.charAt(at + 1) !== ' ' && !isGroup;
  if (!isAttached && !isAnywhere) return undefined;
  return { classification, rest: stem.slice(0, stem.length - (lower.length - at)).trimEnd() };
}
