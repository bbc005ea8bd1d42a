import { fold } from './key-parts.ts';

const words = (text: string): ReadonlySet<string> => new Set(text.split(', '));

/** Names of folders with extras of the film in the folder above. */
const extras = words(
  'extra, extras, bonus, bonuses, bonus features, bonusmaterial, special features, featurette, featurettes, ' +
    'trailer, trailers, teaser, teasers, behind the scenes, making of, deleted scenes, deleted, outtakes, bloopers, ' +
    'gag reel, interview, interviews, scenes, shorts, clips, other, sample, samples, proof, theme music, backdrops, sp, sps',
);

/** Names of folders with a part or a version of the work in the folder above. */
const pieces =
  /^(?:(?:cd|disc|disk|dvd|part|pt|side)[ ._#-]{0,2}\d{1,3}|video_ts|audio_ts|bdmv|stream|backup|subs|subtitles|\d{3,4}p|4k|uhd|hdr|sdr|3d|plex versions|optimized for .{1,40})$/i;

/** The folder of the whole work, as a path; empty at the root. */
export function homeOf(folders: readonly string[]): string {
  return homeAbove(folders, folders.length, (folder) => pieces.test(folder));
}

/**
 * The folder of a film with a known title. A folder below it with the name of the edition
 * (`Title (2009)/Extended/`), or one that begins with its name (`Title (2010)/Title (2010) - 2160p/`),
 * holds a version. Extras have folders of their own inside theirs (`Extras/Bonus Disc/BDMV`).
 */
export function filmHomeOf(
  folders: readonly string[],
  { edition, isExtra }: { readonly edition: string | undefined; readonly isExtra: boolean },
): string {
  const inner = isExtra ? folders.findLastIndex((folder, at) => at > 0 && isExtras(folder)) : -1;
  const version = edition === undefined ? undefined : fold(edition);
  const isPiece = (folder: string, above: string): boolean =>
    pieces.test(folder) ||
    (above !== '' && (isVersionOf(folder, above) || fold(folder) === version));
  return homeAbove(folders, inner > 0 ? inner : folders.length, isPiece);
}

/** A folder of extras directly below the root belongs to no film. */
function homeAbove(
  folders: readonly string[],
  from: number,
  isPiece: (folder: string, above: string) => boolean,
): string {
  let depth = from;
  const [at, above] = [
    (): string => folders[depth - 1] ?? '',
    (): string => folders[depth - 2] ?? '',
  ];
  while (depth > 0 && (isPiece(at(), above()) || (depth > 1 && isExtras(at())))) depth -= 1;
  return folders.slice(0, depth).join('/');
}

const isExtras = (folder: string): boolean =>
  extras.has(
    folder
      .toLowerCase()
      .replace(/[-._ ]+/g, ' ')
      .trim(),
  );

/** `Title (2010) - 2160p`, `Title (2010) [Remux]` in `Title (2010)`. */
function isVersionOf(folder: string, above: string): boolean {
  return (
    folder.length > above.length &&
    folder.toLowerCase().startsWith(above.toLowerCase()) &&
    /^[ ._]?[-([{]/.test(folder.slice(above.length))
  );
}
