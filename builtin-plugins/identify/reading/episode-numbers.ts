/**
 * Finds the episodes that a name is about. The most explicit form wins: `S01E02` before `Episode 2`
 * before a date before `2 of 6`. For bare numbers see bare-numbers.ts.
 */
import { findDate } from './dates.ts';
import { readCodes } from './episode-codes.ts';
import { readCounts, readParts } from './episode-counts.ts';
import type { EpisodeDraft } from './episode-draft.ts';
import { readWords } from './episode-words.ts';
import { setMark } from './marks.ts';
import type { Name } from './tokens.ts';

/** What a name says about episodes. */
export type EpisodeNumbers = Readonly<EpisodeDraft>;

/** Reads and marks everything explicit. */
export function readEpisodeNumbers(name: Name, thisYear: number): EpisodeNumbers {
  const draft: EpisodeDraft = { seasons: [], episodes: [], absolutes: [], first: -1, last: -1 };
  readCodes(name, draft);
  if (draft.episodes.length === 0) readWords(name, draft);
  readAirDate(name, draft, thisYear);
  if (draft.episodes.length === 0 && draft.airDate === undefined) readCounts(name, draft);
  return draft;
}

/** Reads `Part 2` as the episode, if there is no other. */
export function readPartNumbers(name: Name, numbers: EpisodeNumbers): EpisodeNumbers {
  const draft = { ...numbers, episodes: [...numbers.episodes] };
  readParts(name, draft);
  return draft;
}

function readAirDate(name: Name, draft: EpisodeDraft, thisYear: number): void {
  const found = findDate(name, thisYear);
  if (found === undefined) return;
  const isShort =
    found.last - found.first === 2 &&
    name.tokens[found.first]?.text.length === 2 &&
    name.tokens[found.first + 1]?.text.length === 2 &&
    name.tokens[found.last]?.text.length === 2;
  if (isShort && (draft.episodes.length > 0 || found.first === 0)) return;
  draft.airDate = found.date;
  for (let at = found.first; at <= found.last; at += 1) setMark(name, at, 'date');
  if (draft.episodes.length > 0) return;
  draft.first = draft.first < 0 ? found.first : Math.min(draft.first, found.first);
  draft.last = Math.max(draft.last, found.last);
}
