/**
 * The parts of a series. AniList has an entry for each season, and for each half of one that is sent in
 * two; they follow each other as sequels. Numbers of the whole series count through them.
 */
import { numberOf, partOf, partsOf, textOf, type Part } from '../catalogue-lookup/values.ts';

/** Formats whose episodes count; films and specials between them do not. */
const formats: ReadonlySet<unknown> = new Set(['TV', 'TV_SHORT', 'ONA']);
const mostParts = 12;

/** The episode, in its part. */
export interface Place {
  readonly part: Part;
  /** The number of the part, from 1. */
  readonly season: number;
  /** In the part. */
  readonly episode: number;
  /** In the whole series. */
  readonly absolute: number;
}

/** Gives an entry by its id; an empty object = there is none. */
export type FindPart = (id: number) => Promise<Part>;

/** Where an episode is, by its season and number, or by its number in the whole series. */
export async function placeOf(first: Part, facts: Part, find: FindPart): Promise<Place | null> {
  const number = numberOf(facts['episode']);
  const absolute = numberOf(facts['absoluteEpisode']);
  const wanted = number ?? absolute;
  if (wanted === undefined || !Number.isInteger(wanted) || wanted < 1) return null;
  // A season has a number of its own; without one, all episodes are counted.
  const from = number === undefined ? 1 : (numberOf(facts['season']) ?? 1);
  let left = wanted;
  let before = 0;
  let season = 0;
  const seen = new Set<unknown>();
  for (let part: Part | null = first; part !== null && seen.size < mostParts;) {
    if (seen.has(part['id'])) return null;
    seen.add(part['id']);
    const counts = seen.size === 1 || formats.has(part['format']);
    if (counts) {
      season += 1;
      const episodes = numberOf(part['episodes']) ?? Infinity;
      if (season >= from) {
        if (left <= episodes) return { part, season, episode: left, absolute: before + left };
        left -= episodes;
      }
      before += episodes;
    }
    part = await sequelOf(part, find);
  }
  return null;
}

async function sequelOf(part: Part, find: FindPart): Promise<Part | null> {
  const sequels = related(part, 'SEQUEL');
  const next = sequels.find(({ format }) => formats.has(format)) ?? sequels[0];
  const id = numberOf(next?.['id']);
  if (id === undefined) return null;
  const found = await find(id);
  return found['id'] === id ? found : null;
}

/** Whether another part comes before it. */
export const hasPrequel = (part: Part): boolean => related(part, 'PREQUEL').length > 0;

const related = (part: Part, type: string): readonly Part[] =>
  partsOf(partOf(part['relations'])['edges'])
    .filter(({ relationType }) => relationType === type)
    .map(({ node }) => partOf(node))
    .filter((node) => node['type'] === 'ANIME');

/** The title of an episode, such as `Low Tide` of `Episode 3 - Low Tide`. */
export function episodeTitle(part: Part, episode: number): string | undefined {
  for (const { title } of partsOf(part['streamingEpisodes'])) {
    const [, number, name] = /^Episode (\d{1,4}) - (.+)$/.exec(textOf(title) ?? '') ?? [];
    if (Number(number) === episode) return textOf(name);
  }
  return undefined;
}
