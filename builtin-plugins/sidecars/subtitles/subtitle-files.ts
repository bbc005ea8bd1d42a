import type { BundleSubtitle } from '../../../plugin-api/index.ts';
import { source } from '../findings/finding.ts';
import { nameOf } from '../item/folder-path.ts';
import { folderBelow, isAtHome, mediaOf, type Neighbour } from '../item/neighbours.ts';
import type { Scene, SceneMedia } from '../item/scene.ts';
import { isSubtitleSuffix, readSubtitleName, type SubtitleTraits } from './subtitle-name.ts';

/** Formats by extension. `sub` beside an `idx` of the same name is its other half. */
const formats: ReadonlyMap<string, string> = new Map([
  ['srt', 'srt'],
  ['ass', 'ass'],
  ['ssa', 'ssa'],
  ['vtt', 'vtt'],
  ['sub', 'sub'],
  ['idx', 'vobsub'],
  ['smi', 'smi'],
  ['sami', 'smi'],
  ['sup', 'pgs'],
  ['ttml', 'ttml'],
  ['dfxp', 'ttml'],
  ['stl', 'stl'],
  ['mks', 'mks'],
  ['sbv', 'sbv'],
  ['usf', 'usf'],
]);

export const subtitleExtensions: ReadonlySet<string> = new Set(formats.keys());

/** Folders of subtitles beside the media. */
export const subtitleFolder =
  /^(?:subs?|subtitles?|untertitel|sous[ ._-]?titres|subtitulos|legendas|sottotitoli|captions)$/;

/** The subtitle in a file; null when it does not belong to the item. */
export function subtitleOf(
  scene: Scene,
  neighbour: Neighbour,
  pairs: ReadonlySet<string>,
): BundleSubtitle | null {
  const { extension, file } = neighbour;
  const format = formats.get(extension);
  if (format === undefined) return null;
  if (extension === 'sub' && pairs.has(pairKey(neighbour))) return null;
  const found = traitsOf(scene, neighbour);
  if (found === null) return null;
  return {
    type: 'external',
    ...found.traits,
    format,
    uri: file.uri,
    source,
    ...(found.media !== undefined && { mediaFileUri: found.media.file.uri }),
  };
}

/** Matches the two halves of a VobSub: the `idx` has the language, the `sub` the pictures. */
export const pairKey = ({ folder, stem }: Neighbour): string => `${folder}/${stem}`;

interface Found {
  readonly traits: SubtitleTraits;
  readonly media: SceneMedia | undefined;
}

function traitsOf(scene: Scene, neighbour: Neighbour): Found | null {
  const below = folderBelow(scene, neighbour);
  if (below === null) return isAtHome(scene, neighbour) ? besideMedia(scene, neighbour) : null;
  const [first = '', ...deeper] = below.split('/');
  return subtitleFolder.test(first) ? inSubtitleFolder(scene, neighbour, deeper) : null;
}

/**
 * A file without the media's name belongs to the item if its name is only a language. `Film 2.en`
 * belongs to another film.
 */
function besideMedia(scene: Scene, neighbour: Neighbour): Found | null {
  const named = mediaOf(scene, neighbour);
  if (named !== null) return { traits: readSubtitleName(named.rest), media: named.media };
  const { media, kind } = scene;
  const [only] = media;
  const spaced = media.find(({ stem }) => neighbour.stem.startsWith(`${stem} `));
  if (spaced !== undefined) {
    const rest = neighbour.written.slice(spaced.stem.length);
    const isPlain =
      !/^ \d/.test(rest) && isSubtitleSuffix(rest) && readSubtitleName(rest).language !== undefined;
    return isPlain ? { traits: readSubtitleName(rest), media: spaced } : null;
  }
  const traits = readSubtitleName(neighbour.written, true);
  const isLoose = kind === 'film' && only?.folder !== '' && isSubtitleSuffix(neighbour.written);
  return isLoose && traits.language !== undefined
    ? { traits, media: media.length === 1 ? only : undefined }
    : null;
}

/**
 * `Subs/Film.en.srt`, `Subs/2_English.srt`, `Subs/<name of the episode>/2_English.srt`. A folder of
 * subtitles serves all episodes beside it: there a file must name its own.
 */
function inSubtitleFolder(
  scene: Scene,
  neighbour: Neighbour,
  folders: readonly string[],
): Found | null {
  const named = mediaOf(scene, neighbour);
  if (named !== null) return { traits: readSubtitleName(named.rest), media: named.media };
  const ofFolder = scene.media.find(({ stem }) => folders.includes(stem));
  const only = scene.media.length === 1 ? scene.media[0] : undefined;
  const isOwn =
    ofFolder !== undefined ||
    scene.works.some((work) => folders.includes(work)) ||
    (scene.kind === 'episode' ? hasOwnNumber(scene, neighbour) : folders.length === 0);
  const spoken = [nameOf(folders.join('/')), neighbour.written].join(' ');
  const traits = readSubtitleName(neighbour.written, true);
  if (isOwn) return { traits, media: ofFolder ?? only };
  const isLanguageFolder = folders.length === 1 && isSubtitleSuffix(folders[0] ?? '');
  if (!isLanguageFolder || scene.kind === 'episode') return null;
  return { traits: readSubtitleName(spoken, true), media: only };
}

const episodeNumber =
  /(?:^|[^a-z\d])(?:s(\d{1,4})[ ._-]?e(\d{1,4}(?:\.5(?=[. _-]|$))?)|(\d{1,2})x(\d{1,3}(?:\.5(?=[. _-]|$))?))(?!\d)/i;

/** Whether the episode number of the file is the item's. */
function hasOwnNumber({ bundle }: Scene, { stem }: Neighbour): boolean {
  const numbers = episodeNumber.exec(stem);
  if (numbers === null) return false;
  const { season, episode } = bundle.fields;
  return (
    Number(numbers[1] ?? numbers[3]) === season && Number(numbers[2] ?? numbers[4]) === episode
  );
}
