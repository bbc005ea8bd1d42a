/**
 * Blu-ray discs: the longest playlist is the film, its clips are the parts of it. All other streams
 * are extras. A clip counts once in a playlist, so one that repeats a clip is as long as the clip.
 */
import type { FoundChapter, FoundMedia } from '../media.ts';
import {
  folderOf,
  listFolder,
  measured,
  readWhole,
  whyNot,
  type DiscFile,
  type DiscParts,
  type ReadDisc,
} from './disc.ts';
import type { StreamFacts } from './ifo.ts';
import { readClipLanguages, type Languages } from './clip-streams.ts';
import { readPlaylist, type PlayItem, type Playlist } from './playlist.ts';

interface Film {
  readonly playlist: Playlist;
  /** The clips in order, each once, as they are played first. */
  readonly parts: readonly PlayItem[];
  readonly seconds: number;
}

const mostPlaylists = 1000;
const longestPlaylist = 512 * 1024;
/** All playlists together. */
const mostBytes = 8 * 1024 * 1024;
/** Playlists that are read in one call. */
const atOnce = 32;
/** Bits per second. A playlist that says a clip is longer than this allows does not tell the truth. */
const leastRate = 64_000;
const none: Languages = new Map();

/** Whether the file is a stream of a Blu-ray disc: `BDMV/STREAM/00001.m2ts`. */
export const isStream = (uri: string): boolean => /\/bdmv\/stream\/[^/]+\.(?:m2ts|mts)$/i.test(uri);

/** Reads the disc of a folder of streams. */
export async function openBluray(parts: DiscParts, streamFolder: string): Promise<ReadDisc> {
  const root = await listFolder(parts.fs, folderOf(streamFolder));
  const inside = async (name: string): Promise<readonly DiscFile[]> => {
    const folder = root.find((entry) => entry.name === name);
    return folder === undefined ? [] : listFolder(parts.fs, folder.uri);
  };
  const streams = (await listFolder(parts.fs, streamFolder)).filter(({ name }) =>
    /\.M2?TS$/.test(name),
  );
  const [playlists, clips] = [await inside('PLAYLIST'), await inside('CLIPINF')];
  const { film, fault } = await readFilm(parts, playlists, streams);
  const longest = film === undefined ? await longestStream(parts, streams) : undefined;
  const warnings = film === undefined ? [`The longest stream counts as the film: ${fault}`] : [];

  return async (file, found) => {
    const clip = clipOf(file);
    const at = film?.parts.findIndex((item) => item.clip === clip) ?? -1;
    const isMain = film === undefined ? file.uri === longest?.uri : at >= 0;
    const isPart = film !== undefined && isMain && film.parts.length > 1;
    const languages = await languagesOf(parts, clips, clip);
    return {
      disc: { role: isMain ? 'main' : 'extra', ...(isPart && { part: at + 1 }) },
      streams: toFacts(languages ?? film?.parts[at]?.languages ?? none),
      chapters: film !== undefined && at >= 0 ? chaptersOf(film, clip, found) : [],
      warnings: isMain ? warnings : [],
    };
  };
}

const clipOf = ({ name }: Pick<DiscFile, 'name'>): string =>
  name.replace(/\.[^.]*$/, '').toUpperCase();

async function readFilm(
  parts: DiscParts,
  files: readonly DiscFile[],
  streams: readonly DiscFile[],
): Promise<{ readonly film: Film | undefined; readonly fault: string }> {
  const sizes = new Map(streams.map((stream) => [clipOf(stream), stream.size]));
  const playlists = files.filter(({ name }) => /\.MPLS?$/.test(name));
  let film: Film | undefined;
  let fault = 'There is no playlist whose clips are there.';
  let left = mostBytes;
  for (const group of chunks(playlists.slice(0, mostPlaylists))) {
    const asked = group.filter(({ size }) => size <= longestPlaylist && (left -= size) >= 0);
    const answers = await Promise.allSettled(
      asked.map(async (file) => toFilm(readPlaylist(await readWhole(parts, file)), sizes)),
    );
    for (const [at, answer] of answers.entries()) {
      if (answer.status === 'rejected') fault = whyNot(asked[at]?.name ?? '', answer.reason);
      else if (answer.value !== undefined && isBetter(answer.value, film)) film = answer.value;
    }
  }
  return { film, fault };
}

const chunks = <Entry>(list: readonly Entry[]): readonly (readonly Entry[])[] =>
  Array.from({ length: Math.ceil(list.length / atOnce) }, (_, at) =>
    list.slice(at * atOnce, (at + 1) * atOnce),
  );

/** `undefined` when a clip is missing, or nothing is played. */
function toFilm(playlist: Playlist, sizes: ReadonlyMap<string, number>): Film | undefined {
  let seconds = 0;
  const parts: PlayItem[] = [];
  for (const [clip, items] of Map.groupBy(playlist.items, (item) => item.clip)) {
    const size = sizes.get(clip);
    if (size === undefined) return undefined;
    const from = Math.min(...items.map((item) => item.from));
    const to = Math.max(...items.map((item) => item.to));
    seconds += Math.max(0, Math.min(to - from, (size * 8) / leastRate));
    parts.push(...items.slice(0, 1));
  }
  return seconds > 0 ? { playlist, parts, seconds } : undefined;
}

/** The longer one; of equal ones that with more chapters. Pictures and a half do not count. */
function isBetter(one: Film, other: Film | undefined): boolean {
  if (other === undefined || Math.abs(one.seconds - other.seconds) > 1)
    return other === undefined || one.seconds > other.seconds;
  return one.playlist.marks.length > other.playlist.marks.length;
}

async function longestStream(
  parts: DiscParts,
  streams: readonly DiscFile[],
): Promise<DiscFile | undefined> {
  const groups = streams.map((stream) => ({ files: [stream] }));
  const lengths = [...(await measured(groups, parts))];
  return lengths.sort(([, one], [, other]) => other - one)[0]?.[0].files[0];
}

async function languagesOf(
  parts: DiscParts,
  clips: readonly DiscFile[],
  clip: string,
): Promise<Languages | undefined> {
  const file = clips.find(({ name }) => /\.CLPI?$/.test(name) && clipOf({ name }) === clip);
  if (file === undefined) return undefined;
  try {
    return readClipLanguages(await readWhole(parts, file));
  } catch {
    // The playlist has the same languages.
    return undefined;
  }
}

const toFacts = (languages: Languages): StreamFacts =>
  new Map(
    [...languages].map(([pid, spoken]) => [pid, { kind: 'audio', codec: '', language: spoken }]),
  );

/** The chapters that begin in this clip. */
function chaptersOf(
  { playlist, parts }: Film,
  clip: string,
  found: FoundMedia,
): readonly FoundChapter[] {
  const { items, marks } = playlist;
  const first = new Map(parts.map((part) => [part, items.indexOf(part)]));
  const known = marks.filter(({ item }) => [...first.values()].includes(item));
  if (known.length < 2) return [];
  return known.flatMap(({ item, at }, index) => {
    const played = items[item];
    if (played?.clip !== clip) return [];
    const byClock = at - (found.firstTime ?? played.from);
    const isInside = byClock > -1 && byClock <= (found.duration ?? Infinity);
    const startTime = Math.max(0, isInside ? byClock : at - played.from);
    return [{ startTime, title: `Chapter ${String(index + 1)}` }];
  });
}
