/** Doc comments that say no more than the name below them. */

/** Words that say nothing about a thing in particular. */
const empty = new Set(
  `a an the of it its them their this these that to for in on over with by and or from as is are one
  all what which here only own new each some
  create creates created make makes made build builds built give gives get gets return returns
  need needs needed use uses used has have hold holds
  dependency dependencies part parts option options thing things domain database type`
    .split(/\s+/)
    .map(stemOf),
);

/** A plural and its singular are the same word; so are `reads` and `read`. */
function stemOf(word: string): string {
  return word.replace(/(?:ies|y)$/, 'i').replace(/(?:e?s|ed|e|ing|er|or)$/, '');
}

const wordsOf = (text: string): readonly string[] =>
  text
    .replaceAll(/([a-z0-9])(?=[A-Z])/g, '$1 ')
    .toLowerCase()
    .split(/[^a-z0-9]+/)
    .filter((word) => word !== '')
    .map(stemOf);

/** A comment of one line, alone before what it is about, whose name is the second group. */
export const commented =
  /^[ \t]*\/\*\* ([^\n]*?) \*\/\n[ \t]*(?:export )?(?:declare )?(?:default )?(?:async )?(?:abstract )?(?:function\*? |const |let |interface |class |type )(\w+)/gm;

/** Whether each word of the comment is one of the name or of the file, or says nothing. */
export function repeats(comment: string, name: string, file: string): boolean {
  if (/[;:`{=]/.test(comment)) return false;
  const base = file.split('/').slice(-2).join(' ');
  const known = new Set([...wordsOf(name), ...wordsOf(base)]);
  return wordsOf(comment).every((word) => empty.has(word) || known.has(word));
}

/** Those of a file, with their places in its text. */
export const repeatingIn = (
  file: string,
  text: string,
): readonly { readonly comment: string; readonly at: number }[] =>
  [...text.matchAll(commented)]
    .filter(([, comment = '', name = '']) => repeats(comment, name, file))
    .map(({ 1: comment = '', index }) => ({ comment, at: index }));
