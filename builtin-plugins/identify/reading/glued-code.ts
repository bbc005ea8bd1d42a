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
