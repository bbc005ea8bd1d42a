/**
 * The patterns of an ignore file, as in `.gitignore`: `*` and `?` within a name, `**` across folders, `!`
 * negates, a slash at the end means a folder, one elsewhere anchors the pattern to the file's own folder.
 * Case does not count. The time of a match grows with the product of the lengths of pattern and path, for
 * any pattern.
 */

/** What an ignore file says of a path in its folder; null = no line matches. */
export type Verdict = 'out' | 'in' | null;

/** The patterns of one file. */
export interface IgnoreRules {
  /** The path is relative to the file's folder, its names decoded. */
  readonly verdict: (path: string, isFolder: boolean) => Verdict;
}

interface Rule {
  readonly segments: readonly string[];
  readonly isFolderOnly: boolean;
  readonly verdict: 'out' | 'in';
}

const maxRules = 500;
const maxPattern = 300;

/** Reads the text of an ignore file. */
export function parseIgnoreRules(text: string): IgnoreRules {
  const rules = text
    .split(/\r\n?|\n/, 10_000)
    .flatMap(toRule)
    .slice(0, maxRules)
    .reverse();
  return {
    verdict: (path, isFolder) => {
      const names = path.toLowerCase().split('/');
      const decides = ({ segments, isFolderOnly }: Rule): boolean =>
        (isFolder || !isFolderOnly) && fitsPath(names, segments);
      return rules.find(decides)?.verdict ?? null;
    },
  };
}

function toRule(line: string): Rule[] {
  const written = line.replace(/^\ufeff/, '').trim();
  if (written === '' || written.startsWith('#') || written.length > maxPattern) return [];
  const isBack = written.startsWith('!');
  const pattern = written.slice(isBack ? 1 : 0).toLowerCase();
  const bare = pattern.replace(/^\//, '').replace(/\/$/, '');
  if (bare === '') return [];
  const isTied = pattern.slice(0, -1).includes('/');
  // `folder/**` is what is in the folder, not the folder: a later line may take some of it back.
  const inside = bare.endsWith('/**') ? ['*'] : [];
  const segments = [...(isTied ? [] : ['**']), ...bare.split('/'), ...inside];
  return [{ segments, isFolderOnly: pattern.endsWith('/'), verdict: isBack ? 'in' : 'out' }];
}

/** Whether the names match the segments in their order; `**` stands for any number of names. */
function fitsPath(names: readonly string[], segments: readonly string[]): boolean {
  return fitsSequence(names.length, segments.length, {
    isWild: (at) => segments[at] === '**',
    fits: (name, at) => fitsName(names[name] ?? '', segments[at] ?? ''),
  });
}

function fitsName(name: string, pattern: string): boolean {
  return fitsSequence(name.length, pattern.length, {
    isWild: (at) => pattern[at] === '*',
    fits: (index, at) => pattern[at] === '?' || pattern[at] === name[index],
  });
}

/** Backtracks only to the last wildcard, which is enough: an earlier one never has to take more. */
function fitsSequence(
  length: number,
  pieces: number,
  {
    isWild,
    fits,
  }: {
    readonly isWild: (piece: number) => boolean;
    readonly fits: (index: number, piece: number) => boolean;
  },
): boolean {
  let index = 0;
  let piece = 0;
  let wild = -1;
  let taken = 0;
  while (index < length) {
    if (piece < pieces && isWild(piece)) {
      wild = piece;
      taken = index;
      piece += 1;
    } else if (piece < pieces && fits(index, piece)) {
      index += 1;
      piece += 1;
    } else if (wild !== -1) {
      taken += 1;
      index = taken;
      piece = wild + 1;
    } else return false;
  }
  while (piece < pieces && isWild(piece)) piece += 1;
  return piece === pieces;
}
