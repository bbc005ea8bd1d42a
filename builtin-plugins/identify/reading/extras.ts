import { extraFolders, extraSuffixes, type Classification } from '../words/extra-words.ts';

const anySeparator: ReadonlySet<string> = new Set([
  'trailer',
  'sample',
  'behindthescenes',
  'teaser',
]);
/** Behind a codec, `-scene` is the name of a group. */
const behindRelease =
  /(?:[xh]\.?26[45]|xvid|divx|hevc|avc|aac|ac3|dts|flac|\d{3,4}p|hdtv|web|bluray|\d)$/;
const separators = /[-._ ]+/g;

/** The folder, below another one, that makes everything in it an extra. */
export function extraFolder(
  folders: readonly string[],
): { readonly classification: Classification; readonly depth: number } | undefined {
  for (let depth = folders.length - 1; depth > 0; depth -= 1) {
    const words = (folders[depth] ?? '').toLowerCase().replace(separators, ' ').trim();
    const classification = words.length > 40 ? undefined : extraFolders.get(words);
    if (classification !== undefined) return { classification, depth };
  }
  return undefined;
}

/** `Title-trailer`, `release-sample`, `sample`: the stem's own word for an extra, and what it leaves. */
export function extraSuffix(
  stem: string,
): { readonly classification: Classification; readonly rest: string } | undefined {
  if (/^sample[-_.]/i.test(stem)) return { classification: 'extra', rest: stem.slice(7) };
  const lower = stem.slice(-40).toLowerCase();
  if (lower === 'sample' || lower === 'trailer') {
    return { classification: lower === 'trailer' ? 'trailer' : 'extra', rest: '' };
  }
  const spoken = /[)\]](?: -)? ([a-z ]{4,20})$/.exec(lower);
  const kind = extraFolders.get(spoken?.[1] ?? '');
  if (spoken !== null && kind !== undefined) {
    return { classification: kind, rest: stem.slice(0, 1 - spoken[0].length) };
  }
  const at = Math.max(lower.lastIndexOf('-'), lower.lastIndexOf('.'), lower.lastIndexOf('_'));
  if (at < 0) return undefined;
  const word = lower
    .slice(at + 1)
    .trim()
    .replace(/\d{1,2}$/, '');
  const classification = extraSuffixes.get(word);
  if (classification === undefined) return undefined;
  const isGroup = behindRelease.test(lower.slice(0, at)) && !anySeparator.has(word);
  const isAttached = lower.charAt(at) === '-' && lower.charAt(at + 1) !== ' ' && !isGroup;
  if (!isAttached && !anySeparator.has(word)) return undefined;
  return { classification, rest: stem.slice(0, stem.length - (lower.length - at)).trimEnd() };
}
