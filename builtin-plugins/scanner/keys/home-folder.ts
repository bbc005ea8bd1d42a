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

/**
 * The folder of the whole work, as a path; empty at the root. A folder below it with the name of the
 * edition holds a version: `Title (2009)/Extended/`.
 */
export function homeOf(folders: readonly string[], edition?: string): string {
  let depth = folders.length;
  if (depth > 1 && edition !== undefined && fold(folders[depth - 1] ?? '') === fold(edition))
    depth -= 1;
  while (depth > 0 && isInner(folders[depth - 1] ?? '', depth)) depth -= 1;
  return folders.slice(0, depth).join('/');
}

/** A folder of extras directly below the root belongs to no film. */
function isInner(folder: string, depth: number): boolean {
  if (pieces.test(folder)) return true;
  return (
    depth > 1 &&
    extras.has(
      folder
        .toLowerCase()
        .replace(/[-._ ]+/g, ' ')
        .trim(),
    )
  );
}
