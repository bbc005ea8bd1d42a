import { episodeWords } from '../words/series-words.ts';
import {
  add,
  isRangeGap,
  longestCode,
  readContinuation,
  take,
  type EpisodeDraft,
} from './episode-draft.ts';
import { episodeAt } from './episode-words.ts';
import { numbersBetween } from './numbers.ts';
import { gapBefore, type Name, type Token } from './tokens.ts';

const seasonEpisode =
  /^[st]([o0-9]\d{0,3})x?ep?(\d{1,4}(?:\.\d)?)((?:(?:&?[ex]|&)p?\d{1,4})*)(?:v\d|[a-d]|end|fin|final)?$/;
const crossed = /^(\d{1,4})[x×х](\d{1,4}(?:\.\d)?)((?:[xe]\d{1,4})*)(?:v\d|[a-d])?$/;
const seasonOnly = /^s(\d{1,4})(ep?)?$/;
const wholeSeason = /^(\d{1,2})xall$/;
const seasonDisc = /^s(\d{1,2})d(\d{1,2})$/;

/** `S01E02`, `1x02`, `S01`, `S01-S03`, `S01 E02`, `S07D1`, `[01.02]`. */
export function readCodes(name: Name, draft: EpisodeDraft): void {
  for (let index = 0; index < name.tokens.length; index += 1) {
    const token = name.tokens[index];
    if (token === undefined || token.mark !== '' || token.key.length > longestCode) continue;
    if (draft.episodes.length > 0 && index > draft.last + 3) return;
    if (!token.hasDigit && token.key !== 's') continue;
    const code = readCode(token.key);
    if (code !== undefined) {
      const isNew = !code.episodes.some((episode) => draft.episodes.includes(episode));
      if (
        draft.seasons.length > 0 &&
        !draft.seasons.includes(code.season) &&
        draft.episodes.length > 0
      )
        continue;
      if (draft.episodes.length > 0 && isRangeGap(gapBefore(name, index)) && isNew) {
        add(draft.episodes, numbersBetween(draft.episodes.at(-1) ?? 0, code.episodes[0] ?? 0));
      }
      add(draft.seasons, [code.season]);
      add(draft.episodes, code.episodes);
      const word = name.tokens[index - 1]?.key ?? '';
      const hasWord = index > 1 && word.length > 1 && episodeWords.has(word);
      take(name, draft, hasWord ? index - 1 : index, index, 'episode');
      index = readContinuation(name, draft, index);
      readAbsoluteBeside(name, draft);
      readAbsoluteBehind(name, draft);
      readAbsoluteAhead(name, draft);
      continue;
    }
    if (draft.episodes.length > 0) continue;
    const decimal = readDecimal(name, index);
    if (decimal !== undefined) {
      add(draft.seasons, [decimal.season]);
      add(draft.episodes, [decimal.episode]);
      take(name, draft, decimal.first, index + 1, 'episode');
      index += 1;
      continue;
    }
    const disc = seasonDisc.exec(token.key) ?? wholeSeason.exec(token.key);
    if (disc !== null) {
      add(draft.seasons, [Number(disc[1])]);
      take(name, draft, index, index, 'season');
      continue;
    }
    index = readSeasonCode(name, draft, index, token);
  }
}

/** `s01e02` and its variants, as season and episodes. */
function readCode(key: string): { season: number; episodes: number[] } | undefined {
  const isCrossed = key.charCodeAt(0) <= 57;
  if (isCrossed ? !/[x×х]/.test(key) : !/^[st]/.test(key)) return undefined;
  const match = isCrossed ? crossed.exec(key) : seasonEpisode.exec(key);
  if (match === null) {
    const tight = /^s(0\d|[1-9]\d)(\d\d)$/.exec(key);
    if (tight === null || !(tight[1] ?? '').startsWith('0')) return undefined;
    return { season: Number(tight[1]), episodes: [Number(tight[2])] };
  }
  const season = Number((match[1] ?? '').replace('o', '0'));
  const first = Number(match[2]);
  if (/^\d/.test(key)) {
    const isPicture = season >= 200 && first >= 100;
    const isShort = (match[2] ?? '').length < 2;
    if (isPicture || (isShort && (season > 30 || season === 0))) return undefined;
  }
  const more = (match[3] ?? '').match(/\d+/g) ?? [];
  const episodes = [first, ...more.map(Number)];
  return { season, episodes: [...new Set(episodes)].sort((a, b) => a - b) };
}

/** `313-315` before or after the code: the same episodes, counted through all seasons. */
function readAbsoluteBeside(name: Name, draft: EpisodeDraft): void {
  const count = draft.episodes.length;
  if (count < 2) return;
  for (const [low, high] of [
    [draft.last + 1, draft.last + 2],
    [draft.first - 2, draft.first - 1],
  ] as const) {
    const [a, b] = [name.tokens[low], name.tokens[high]];
    if (a === undefined || b === undefined || a.mark !== '' || a.value < 0 || b.value < 0) continue;
    if (gapBefore(name, high) !== '-' || b.value - a.value + 1 !== count || a.value > 2500)
      continue;
    add(draft.absolutes, numbersBetween(a.value, b.value));
    take(name, draft, low, high, 'episode');
    return;
  }
}

/** `Title - 005 - S01E05`, `Title - 005 (S01E05)`: the same episode, counted through all seasons. */
function readAbsoluteAhead(name: Name, draft: EpisodeDraft): void {
  const index = draft.first - 1;
  const token = name.tokens[index];
  if (index < 1 || token?.mark !== '' || token.value < 0 || !/^\d{3,4}$/.test(token.text)) return;
  if (gapBefore(name, index) !== ' - ' || !/^ - $|^ [([]$/.test(gapBefore(name, index + 1))) return;
  if (draft.absolutes.length === 0) add(draft.absolutes, [token.value]);
  take(name, draft, index, index, 'episode');
}

/** `S01E05 - 005 - Title`: the same episode, counted through all seasons. */
function readAbsoluteBehind(name: Name, draft: EpisodeDraft): void {
  const index = draft.last + 1;
  const token = name.tokens[index];
  if (token === undefined || token.mark !== '' || token.value < 0 || !/^\d{3,4}$/.test(token.text))
    return;
  if (gapBefore(name, index) !== ' - ' || gapBefore(name, index + 1) !== ' - ') return;
  add(draft.absolutes, [token.value]);
  take(name, draft, index, index, 'episode');
}

/** `S01`, `S01-S03`, `S01.S02`, `S01 E02`, `S01 - 02`. Returns the last token of it. */
function readSeasonCode(name: Name, draft: EpisodeDraft, index: number, token: Token): number {
  const spaced = token.key === 's' ? (name.tokens[index + 1]?.value ?? -1) : -1;
  const match = seasonOnly.exec(token.key);
  const isSpaced = spaced >= 0 && spaced < 100 && gapBefore(name, index + 1) === ' ';
  if (match === null && !isSpaced) return index;
  const season = match === null ? spaced : Number(match[1]);
  let last = match === null ? index + 1 : index;
  if (season > 100 && season < 1900) return index;
  add(draft.seasons, [season]);
  take(name, draft, index, last, 'season');
  const next = name.tokens[last + 1];
  if (next === undefined || gapBefore(name, last + 1).length > 3) return last;
  const other = seasonOnly.exec(next.key);
  const gap = gapBefore(name, last + 1);
  if (other !== null) return last;
  const isEpisode = token.text.length === 2 && next.text.length === 2 && next.value > season + 9;
  if (
    isRangeGap(gap) &&
    !isEpisode &&
    next.value > season &&
    next.value < 60 &&
    next.text.length <= 2
  ) {
    add(draft.seasons, numbersBetween(season, next.value, 60));
    take(name, draft, last + 1, last + 1, 'season');
    return last + 1;
  }
  const isAnnounced = match?.[2] !== undefined && next.value >= 0 && next.text.length <= 4;
  if (isAnnounced) {
    add(draft.episodes, [next.value]);
    take(name, draft, last + 1, last + 1, 'episode');
    return readContinuation(name, draft, last + 1);
  }
  const episode = episodeAt(name, last + 1);
  if (episode !== undefined) {
    last = episode.last;
    add(draft.episodes, episode.numbers);
    take(name, draft, episode.first, last, 'episode');
    return readContinuation(name, draft, last);
  }
  if (/^\d{2,3}(?:\.\d)?$/.test(next.text) && gap.includes('-') && next.mark === '') {
    add(draft.episodes, [next.value]);
    take(name, draft, last + 1, last + 1, 'episode');
    return readContinuation(name, draft, last + 1);
  }
  return last;
}

/**
 * `[2.10]`, `Show - 6.01 - Title`, `4-13 Title`, `show.02.09`: season and episode with a separator,
 * if the episode has two digits and the context allows no other meaning.
 */
function readDecimal(
  name: Name,
  index: number,
): { season: number; episode: number; first: number } | undefined {
  const [a, b] = [name.tokens[index], name.tokens[index + 1]];
  if (a === undefined || b === undefined || b.mark !== '' || a.value < 0 || b.value < 0)
    return undefined;
  if (a.text.length > 2 || b.text.length < 2 || b.text.length > 3 || a.value > 40) return undefined;
  const isThird = (name.tokens[index - 1]?.value ?? -1) >= 0 && gapBefore(name, index) === '.';
  if (isThird) return undefined;
  const gap = gapBefore(name, index + 1);
  const [before, after] = [gapBefore(name, index), gapBefore(name, index + 2)];
  const next = name.tokens[index + 2];
  if (
    next !== undefined &&
    next.value >= 0 &&
    next.text.length <= 4 &&
    after.length === 1 &&
    after !== ' '
  )
    return undefined;
  const isBracketed = /[[(]$/.test(before) && /^[\])]/.test(after);
  const isAlone =
    (index === 0 || / - $/.test(before)) && (next === undefined || /^ ?- |^ /.test(after));
  const word = episodeWords.has(name.tokens[index - 1]?.key ?? '');
  const found = { season: a.value, episode: b.value, first: word ? index - 1 : index };
  if (gap === '.' && (isBracketed || isAlone || word)) return found;
  const isStart = index === 0 && a.text.length === 1 && b.text.length === 2;
  const isWhole = next === undefined && b.text.startsWith('0');
  if (gap === '-' && isStart && (isWhole || /^(?:\. | - | )/.test(after))) return found;
  const isEnd =
    next === undefined || (next.key.length === 1 && name.tokens[index + 3] === undefined);
  const isPadded = a.text.length === 2 && b.text.length === 2 && index > 0;
  return (gap === '.' || gap === '_') && isPadded && isEnd ? found : undefined;
}
