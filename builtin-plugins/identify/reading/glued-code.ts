const behindTitle = /^\p{L}[^\d]*\p{L}(?=s\d{1,2}e\d{1,3}(?:\D|$)|\d{1,2}x\d{2}$)/u;
const beforeTitle =
  /^(?:s\d{1,2}e\d{2}|\d{1,2}x\d{2})(?=[a-z\u00c0-\uffff]{2})(?!end|fin|final|ep\d|xvid)/;

/**
 * Where a word has to be cut that has the code of an episode glued to it: `CastleS01E02`,
 * `Castle1x02`, `S01E02Pilot`. 0 = nowhere.
 */
export function gluedCodeAt(key: string): number {
  if (key.length < 6 || key.length > 60 || !/\d[ex]\d/.test(key)) return 0;
  return (behindTitle.exec(key) ?? beforeTitle.exec(key))?.[0].length ?? 0;
}

const counted = /^#?\d{1,4}$/;
const coded = /^(?:s\d{1,4}e|\d{1,2}x|e|ep|eps|episode|folge|sp|ova)\d{1,4}$/i;
const yearLike = /^(?:19|20)\d\d$/;
/** The fraction, and that no other word goes on behind it: `.5`, `.5v2`, `.5 - `, but not `.5.Days`. */
const fraction = /^\.[1-9](?:v\d)?(?=$|[\s_\-\])}]|\.\d{3,4}[pi])/i;
const unit = /^.{2}[ ]?(?:[gm]i?b|ch|fps|[km]bps)(?![\p{L}\p{N}])/iu;
const longestWord = 14;

/**
 * Whether the dot is that of a decimal episode: `13.5`, `S01E03.5`, `[07.5]`. So a recap between two
 * episodes is neither of them. Where dots are spaces, and where it may be sound (`5.1`), it is not.
 */
export function isDecimalEpisode(text: string, wordStart: number, dot: number): boolean {
  if (dot - wordStart > longestWord || !fraction.test(text.slice(dot, dot + 8))) return false;
  const word = text.slice(wordStart, dot);
  if (coded.test(word)) return true;
  if (!counted.test(word) || yearLike.test(word) || unit.test(text.slice(dot, dot + 8)))
    return false;
  const before = text.slice(Math.max(0, wordStart - 3), wordStart);
  const isApart = / - $|_-_$|[[(]$|#$/.test(before) || word.startsWith('#');
  if (isApart) return word.length > 1 || !/^[257]\.1/.test(text.slice(wordStart, dot + 2));
  const isStart = wordStart === 0;
  return word.length > 1 && (isStart || before.endsWith(' ')) && !before.endsWith('.');
}
