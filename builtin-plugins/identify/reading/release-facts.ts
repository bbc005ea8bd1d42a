import { findGroup } from './release-group.ts';
import { isTechnicalMark, setMark } from './marks.ts';
import { gapBefore, type Name } from './tokens.ts';

/** What a name says of the release, for any kind of work. */
export interface ReleaseFacts {
  readonly resolution: string | undefined;
  readonly source: string | undefined;
  readonly group: string | undefined;
  readonly editions: readonly string[];
  readonly is3d: boolean;
  readonly crc: string | undefined;
  /** Of picture and sound, by their common names: `H.264`, `Dolby Digital`. */
  readonly videoCodec: string | undefined;
  readonly audioCodec: string | undefined;
  /** BCP 47, in the order of the name. */
  readonly languages: readonly string[];
  /** A word of the name is about the release. */
  readonly isRelease: boolean;
}

/** Gathers the facts from the marks. */
export function releaseFacts(name: Name, titleEnd: number): ReleaseFacts {
  const group = findGroup(name, titleEnd);
  let resolution: string | undefined;
  let source: string | undefined;
  let crc: string | undefined;
  let videoCodec: string | undefined;
  let audioCodec: string | undefined;
  let is3d = false;
  let isRelease = false;
  const editions: string[] = [];
  const languages: string[] = [];
  for (const { mark, meaning } of name.tokens) {
    if (mark === '') continue;
    isRelease ||= isTechnicalMark(mark);
    if (mark === 'resolution') resolution = betterResolution(resolution, meaning);
    else if (mark === 'source') source ??= meaning;
    else if (mark === 'crc') crc ??= meaning;
    else if (mark === 'stereo') is3d = true;
    else if (meaning === '') continue;
    else if (mark === 'video' && meaning !== 'HDR') videoCodec ??= meaning;
    else if (mark === 'audio') audioCodec ??= meaning;
    else if (mark === 'edition' && !editions.includes(meaning)) editions.push(meaning);
    else if (mark === 'language' && !languages.includes(meaning)) languages.push(meaning);
  }
  return {
    resolution,
    source,
    group,
    editions,
    is3d,
    crc,
    videoCodec,
    audioCodec,
    languages,
    isRelease,
  };
}

/** A number of lines is more exact than `4K`. */
function betterResolution(known: string | undefined, next: string): string {
  return known === undefined || (/K$/.test(known) && /[pi]$/.test(next)) ? next : known;
}

/** `{edition-Director's Cut}`: the edition in the owner's words. Marks it, so that it has no other meaning. */
export function statedEdition(name: Name): string | undefined {
  for (const bracket of name.brackets) {
    const first = name.tokens[bracket.first];
    if (bracket.open !== '{' || first?.key !== 'edition' || bracket.last - bracket.first < 2)
      continue;
    if (gapBefore(name, bracket.first + 1) !== '-') continue;
    for (let at = bracket.first; at < bracket.last; at += 1) setMark(name, at, 'noise');
    const start = name.tokens[bracket.first + 1]?.start ?? bracket.end;
    return (
      name.text
        .slice(start, bracket.end - 1)
        .replace(/[\s_]+/g, ' ')
        .trim() || undefined
    );
  }
  return undefined;
}

/** `{imdb-tt0133093}`, `[tmdbid=603]`, `{tvdb-81189}`: ids in a name. Marks them. */
export function statedIds(name: Name): Readonly<Record<string, string>> {
  const ids: Record<string, string> = {};
  for (const bracket of name.brackets) {
    const [provider, id] = [name.tokens[bracket.first], name.tokens[bracket.first + 1]];
    if (provider === undefined || bracket.last - bracket.first !== 2 || id === undefined) continue;
    const service = /^(imdb|tmdb|tvdb|tvmaze|anidb|anilist|mbid|asin|isbn)(?:id)?$/.exec(
      provider.key,
    )?.[1];
    if (service === undefined || !/^[a-z0-9]{1,16}$/.test(id.key)) continue;
    ids[service] = id.text;
    setMark(name, bracket.first, 'noise');
    setMark(name, bracket.first + 1, 'noise');
  }
  return ids;
}
