import type { Identification } from '../../../plugin-api/index.ts';
import { foldTitle } from '../reading/characters.ts';
import { readEpisodeName, type EpisodeName } from '../reading/episode-name.ts';
import { extraFolder, extraSuffix } from '../reading/extras.ts';
import type { FilePath } from '../reading/file-path.ts';
import { tokenize } from '../reading/tokens.ts';
import { shelfWords, specialsWords } from '../words/series-words.ts';
import { entityIds, episodeLabel, showEntities } from './episode-entities.ts';
import { compact, type IdentifyContext } from './identify-context.ts';
import { releaseMetadata } from './release-metadata.ts';

/** No title is longer. */
const longestTitle = 300;

/** What the folders around an episode say. */
interface SeriesFolders {
  readonly series: EpisodeName | undefined;
  /** Of the nearest folder with a season. */
  readonly season: number | undefined;
  /** The folder of the release, if it names the episode itself. */
  readonly release: EpisodeName | undefined;
  /** The nearest folder with facts of the release. */
  readonly facts: EpisodeName | undefined;
  /** A season folder is between the series and the file. */
  readonly hasSeasonFolder: boolean;
  /** Of the series, by provider. */
  readonly ids: Readonly<Record<string, string>>;
  /** The folder of the series is directly in the library. */
  readonly isTop: boolean;
}

/** An episode, by its file, the folder of its season and that of its series. */
export function identifyEpisode(path: FilePath, context: IdentifyContext): Identification {
  const extra = extraFolder(path.folders);
  const suffix = extraSuffix(path.stem);
  const around = extra === undefined ? path.folder : path.folders.slice(0, extra.depth).join('/');
  const folders = context.remember(readFolders, around);
  const read = readFile(suffix?.rest ?? path.stem, folders, context);
  const isUnreadable = isUnnumbered(read);
  const own = betterName(read, isUnreadable, folders.release);
  const { series, year, episodeTitle } = nameSeries(own, folders);
  const season = seasonOf(own, folders);
  const isExtra = extra !== undefined;
  // `Clips/Clip 07` counts the clips; `Clips/S01E07 - Cut` names its episode.
  const isNumbered = own.isExplicit || !(isExtra || read.isExtra || own.isExtra);
  const numbers = isNumbered ? own.episodes : [];
  const absolutes = isNumbered ? own.absolutes : [];
  const airDate = isNumbered ? own.airDate : undefined;
  const [episode] = numbers;
  const [absolute] = absolutes;
  const classification =
    extra?.classification ??
    suffix?.classification ??
    (read.isExtra || own.isExtra ? 'extra' : undefined);
  const label = episodeLabel({ season, episode, absoluteEpisode: absolute, airDate });
  const name = series === '' ? path.stem.trim() || 'Untitled' : series;
  const title = isExtra
    ? isNumbered
      ? [name, label].filter(Boolean).join(' ')
      : path.stem.trim() || name
    : episodeTitle !== ''
      ? episodeTitle
      : [name, label].filter(Boolean).join(' ');
  const edition = own.release.editions.length === 0 ? undefined : own.release.editions.join(', ');
  return compact({
    title,
    metadata: compact({
      series: series === '' ? undefined : series,
      year,
      season: isExtra && episode === undefined ? undefined : season,
      episode,
      episodes: numbers.length > 1 ? numbers : undefined,
      absoluteEpisode: absolute,
      absoluteEpisodes: absolutes.length > 1 ? absolutes : undefined,
      airDate,
      part: own.part,
      edition,
      ...releaseMetadata(own, folders.facts && { ...folders.facts, ids: {} }),
    }),
    classification: classification ?? 'primary',
    edition,
    partNumber: own.part,
    entities:
      series === ''
        ? undefined
        : showEntities({ series, year, ids: entityIds(folders.ids) }, isExtra ? undefined : season),
    confidence: own.isExplicit ? 0.9 : isUnreadable ? 0.3 : 0.6,
  });
}

/**
 * Reads the name behind the title of the series' folder, if a number of that title could be taken
 * for an episode: `24/24 - 03`, `Name 2/Name_2-01`. Else the whole name.
 */
function readFile(stem: string, folders: SeriesFolders, context: IdentifyContext): EpisodeName {
  const how = {
    season: folders.season,
    hasSeriesFolder: folders.series !== undefined,
    thisYear: context.thisYear,
    isFolder: false,
  };
  const rest = behindTitle(stem, folders.series?.series ?? '');
  const read = rest === undefined ? undefined : readEpisodeName(rest, how);
  return read === undefined || isUnnumbered(read) ? readEpisodeName(stem, how) : read;
}

const oneDigitSeason = /^\d-\d\d(?!\d)/;

/** What stands behind a title with a number, or between a title and `2-01`; else undefined. */
function behindTitle(stem: string, title: string): string | undefined {
  if (title === '' || (!/\d/.test(title) && !/\d-\d\d/.test(stem))) return undefined;
  if (title.charAt(0).toLowerCase() !== stem.charAt(0).toLowerCase()) return undefined;
  const [words, name] = [tokenize(title).tokens, tokenize(stem.slice(0, longestTitle)).tokens];
  const isAhead = words.every(({ key }, index) => name[index]?.key === key);
  const next = name[words.length];
  if (!isAhead || next === undefined || words.length === 0) return undefined;
  const rest = stem.slice(next.start);
  return words.some(({ hasDigit }) => hasDigit) || oneDigitSeason.test(rest) ? rest : undefined;
}

function isUnnumbered(read: EpisodeName): boolean {
  return read.episodes.length === 0 && read.absolutes.length === 0 && read.airDate === undefined;
}

/** The folder of a release counts for a file that has nothing, or only a number. */
function betterName(
  read: EpisodeName,
  isUnreadable: boolean,
  release: EpisodeName | undefined,
): EpisodeName {
  if (release === undefined) return read;
  const isStrange =
    !read.isExplicit && release.isExplicit && !isSameSeries(read.series, release.series);
  if (isUnreadable || isStrange) return release;
  const isSame = release.isExplicit && release.episodes[0] === read.episodes[0];
  return isSame && read.episodeTitle === ''
    ? { ...read, episodeTitle: release.episodeTitle }
    : read;
}

function readFolders(path: string, context: IdentifyContext): SeriesFolders {
  const folders = path === '' ? [] : path.split('/');
  let season: number | undefined;
  let release: EpisodeName | undefined;
  let facts: EpisodeName | undefined;
  let hasSeasonFolder = false;
  let ids: Readonly<Record<string, string>> = {};
  for (let depth = folders.length - 1; depth >= 0; depth -= 1) {
    const folder = folders[depth] ?? '';
    const lower = folder.toLowerCase();
    if (specialsWords.has(lower)) {
      season ??= 0;
      hasSeasonFolder = true;
      continue;
    }
    const isLetter = lower.length < 2;
    if (shelfWords.has(lower) || (isLetter && !hasSeasonFolder) || lower === 'minisodes') continue;
    const read = readEpisodeName(folder, {
      season,
      hasSeriesFolder: false,
      thisYear: context.thisYear,
      isFolder: true,
    });
    if (read.seasons.length > 0) season ??= read.seasons[0];
    if (read.isExplicit) release ??= read;
    if (read.isRelease) facts ??= read;
    if (read.series === '') {
      hasSeasonFolder ||= read.seasons.length > 0;
      continue;
    }
    if (read.seasons.length > 0 || read.isRelease) release ??= read;
    if (isPlainSeasonNumber(folder, folders, depth)) {
      season ??= Number(folder);
      continue;
    }
    const isTop = depth === 0;
    ids = { ...ids, ...read.ids };
    return { series: read, season, release, facts: facts ?? release, hasSeasonFolder, ids, isTop };
  }
  return { series: undefined, season, release, facts, hasSeasonFolder, ids, isTop: false };
}

/** `Show/2/…`: a folder with nothing but the number of the season. */
function isPlainSeasonNumber(folder: string, folders: readonly string[], depth: number): boolean {
  return (
    /^\d{1,2}$/.test(folder) &&
    depth > 0 &&
    !shelfWords.has((folders[depth - 1] ?? '').toLowerCase())
  );
}

/** The title of the series, and the rest for the episode's own. */
function nameSeries(
  own: EpisodeName,
  folders: SeriesFolders,
): { series: string; year: number | undefined; episodeTitle: string } {
  const folder = folders.series;
  const ownYear = ownYearOf(own, folders);
  if (folder === undefined) {
    if (own.series !== '')
      return { series: own.series, year: ownYear, episodeTitle: own.episodeTitle };
    const [series = '', ...rest] = own.episodeTitle.split(' - ');
    const episodeTitle = rest.join(' - ').trim();
    if (own.isExplicit && episodeTitle === '')
      return { series: '', year: ownYear, episodeTitle: series };
    return { series: series.trim(), year: ownYear, episodeTitle };
  }
  const year = folderYearOf(folder) ?? ownYear;
  if (own.series === '' || (own === folders.release && own.series === folder.series)) {
    const title = withoutSeries(own.episodeTitle, folder.series);
    return { series: folder.series, year, episodeTitle: title };
  }
  if (isUnnumbered(own) && folders.hasSeasonFolder) {
    const own2 = foldTitle(own.series) === foldTitle(folder.series) ? '' : own.series;
    return { series: folder.series, year, episodeTitle: own2 };
  }
  const isShelved = folders.isTop && !own.isExplicit && !folder.isRelease;
  if (isSameSeries(own.series, folder.series) || folders.hasSeasonFolder || isShelved) {
    return {
      series: folder.series,
      year,
      episodeTitle: withoutSeries(own.episodeTitle, folder.series),
    };
  }
  return { series: own.series, year: ownYear, episodeTitle: own.episodeTitle };
}

/** A year behind the number is that of the episode, unless no folder names the series and it is its first season. */
function ownYearOf(own: EpisodeName, { series }: SeriesFolders): number | undefined {
  const isOfEpisode = series !== undefined || (own.seasons[0] ?? 1) > 1;
  return own.isYearBehind && isOfEpisode ? undefined : own.year;
}

/** `Show - Season 02 [2026]`: the year of the season, unless it is the first. */
function folderYearOf(folder: EpisodeName): number | undefined {
  return folder.isYearBehind && folder.seasons[0] !== 1 ? undefined : folder.year;
}

/** The same words, or one title begins with the other. */
function isSameSeries(a: string, b: string): boolean {
  if (a === b) return true;
  const [x, y] = [foldTitle(a), foldTitle(b)];
  return x === y || (y.length >= 3 && x.startsWith(y)) || (x.length >= 5 && y.startsWith(x));
}

/** `1x01 - Show - Title`: the series repeated before the title. */
function withoutSeries(title: string, series: string): string {
  const at = title.indexOf(' - ');
  if (at > 0 && foldTitle(title.slice(0, at)) === foldTitle(series))
    return title.slice(at + 3).trim();
  return title;
}

function seasonOf(own: EpisodeName, folders: SeriesFolders): number | undefined {
  if (own.seasons.length > 0) return own.seasons[0];
  return folders.season;
}
