/** The number of a track, and of its disc, in front of a name. */
export interface TrackNumber {
  readonly track?: number;
  readonly disc?: number;
  /** Characters of the name that it takes, with the separator behind it. */
  readonly length: number;
}

const none: TrackNumber = { length: 0 };
const separators = /^(?: of \d{1,3}(?= - ))?[\s._)\]–—-]*/;
const numbered =
  /^[[(]?(?:(?:audio ?)?track[ _-]?|(?:titel|piste|pista|traccia|spur|дорожка|трек)[ _-]?|no\. ?|nr\. ?|#|d(?=\d{1,2}t\d))?(?:(\d{1,2})(?:[-.x](?=\d{2}(?!\d))|t(?=\d)))?(\d{1,3})(?=[ ._)\]–-]|$)/i;
const withDisc =
  /^[[(]?(?:cd|disc|disk)[ _.]?(\d{1,2})[)\]]?(?: ?[-–_.,] ?| )(?:track[ _]?)?(\d{1,3})(?=[ ._)\]–-])/i;
const spacedDisc = /^([1-9]) - (\d{2})(?= - )/;
const shortDisc = /^([1-9])-([1-9])(?= \p{L})/u;
const fourDigits = /^(0[1-9])(0[1-9]|[1-9]\d)(?=[ ._-])/;
const vinyl = /^([a-h])(\d{1,2})[ ._-]+(?=\S)/i;

/** Reads `03`, `1-03`, `103`, `0103`, `CD1 - 03`, `d1t03`, `A3`, `Track 03`, `#03`. */
export function readTrackNumber(stem: string, hasAlbum: boolean): TrackNumber {
  const side = vinyl.exec(stem);
  if (side !== null) {
    const disc = (side[1] ?? 'a').toLowerCase().charCodeAt(0) - 96;
    return { track: Number(side[2]), disc: Math.ceil(disc / 2), length: side[0].length };
  }
  const inAlbum = hasAlbum
    ? (fourDigits.exec(stem) ?? spacedDisc.exec(stem) ?? shortDisc.exec(stem))
    : null;
  const named = withDisc.exec(stem) ?? inAlbum;
  if (named !== null)
    return {
      disc: Number(named[1]),
      track: Number(named[2]),
      length: withSeparator(stem, named[0].length),
    };
  const match = numbered.exec(stem);
  if (match === null) return none;
  const [whole, disc, digits = ''] = match;
  const rest = stem.slice(whole.length);
  const value = Number(digits);
  const mayBeDisc = hasAlbum && value > 100 && value < 1000 && value % 100 > 0 && value % 100 <= 40;
  const isSpaced = /^ [^\s\-–._]/.test(rest);
  const isWorded = whole.length > digits.length;
  const isTitle =
    isSpaced && !isWorded && !digits.startsWith('0') && digits.length !== 2 && !mayBeDisc;
  if (isTitle || (rest === '' && digits.length > 2)) return none;
  const length = withSeparator(stem, whole.length);
  if (disc !== undefined) return { track: value, disc: Number(disc), length };
  const isDiscAndTrack =
    digits.length === 3 && value >= 101 && !digits.startsWith('0') && value % 100 > 0;
  if (isDiscAndTrack) return { track: value % 100, disc: Math.floor(value / 100), length };
  return { track: value, length };
}

function withSeparator(stem: string, length: number): number {
  return length + (separators.exec(stem.slice(length))?.[0].length ?? 0);
}
