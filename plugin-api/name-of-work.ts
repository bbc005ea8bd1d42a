const year = String.raw`(?:19|20)\d\d`;
const inBrackets = new RegExp(String.raw`(?<=.)[([]${year}[)\]]`, 'g');
const bare = new RegExp(String.raw`(?<=[^ ._-][ ._-]{1,3})${year}(?=$|[ ._-])`, 'g');
const code =
  /(?<![a-z\d])(?:s\d{1,4}[ ._-]?e\d{1,4}(?:[ ._-]?e\d{1,4}|-\d{1,4}){0,10}|\d{1,2}x\d{2,3})(?![a-z\d])/gi;

/**
 * The part of a media file's name, without its extension, that all versions of the work have in
 * common: up to the number of the episode, else up to the year. `Film (1999)` of `Film (1999) - 4k`.
 * All of the name where it has neither.
 */
export function nameOfWork(stem: string): string {
  for (const mark of [code, inBrackets, bare]) {
    const last = [...stem.matchAll(mark)].at(-1);
    if (last !== undefined) return stem.slice(0, last.index + last[0].length);
  }
  return stem;
}
