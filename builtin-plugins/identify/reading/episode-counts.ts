import { countWords } from '../words/series-words.ts';
import { add, readContinuation, take, type EpisodeDraft } from './episode-draft.ts';
import { readNumber } from './numbers.ts';
import { gapBefore, type Name } from './tokens.ts';

/** `1of5`, `14 of 21`. */
export function readCounts(name: Name, draft: EpisodeDraft): void {
  for (let index = 0; index < name.tokens.length; index += 1) {
    const token = name.tokens[index];
    if (token === undefined || token.mark !== '') continue;
    const tight = token.key.length < 12 ? /^(\d{1,3})(?:of|из|iz)(\d{1,3})$/.exec(token.key) : null;
    if (tight !== null) {
      add(draft.episodes, [Number(tight[1])]);
      take(name, draft, index, index, 'episode');
      return;
    }
    const total = name.tokens[index + 2];
    if (token.value < 0 || total === undefined || total.value < token.value) continue;
    if (!countWords.has(name.tokens[index + 1]?.key ?? '') || total.value > 200) continue;
    add(draft.episodes, [token.value]);
    const previous = name.tokens[index - 1];
    const hasWord = previous?.key === 'part' || previous?.key === 'teil';
    take(name, draft, hasWord ? index - 1 : index, index + 2, 'episode');
    return;
  }
}

/** `Part 1`, `Part 1 and Part 2`, `part 1 to 4`: the episodes of a series in parts. */
export function readParts(name: Name, draft: EpisodeDraft): void {
  if (hasSeparateNumber(name)) return;
  for (let index = 1; index < name.tokens.length - 1; index += 1) {
    const [token, next] = [name.tokens[index], name.tokens[index + 1]];
    if (token === undefined || next === undefined || token.mark !== '' || next.mark !== '')
      continue;
    if (!partWords.has(token.key) || gapBefore(name, index + 1).length > 2) continue;
    const number = readNumber(next.key);
    if (number === undefined || number > 60) continue;
    add(draft.episodes, [number]);
    take(name, draft, index, index + 1, 'episode');
    const last = readContinuation(name, draft, index + 1);
    readSecondPart(name, draft, last);
    return;
  }
}

/** `Show - 120 - Title`: a number that is the episode, although `Part 2` is in the title. */
function hasSeparateNumber(name: Name): boolean {
  return name.tokens.some(
    ({ text }, index) =>
      index > 0 &&
      /^\d{2,4}(?:\.\d)?(?:v\d)?$/.test(text) &&
      / - $|_-_$/.test(gapBefore(name, index)),
  );
}

const partWords: ReadonlySet<string> = new Set(['part', 'teil', 'parte', 'partie', 'pt', 'del']);

/** `… and part 2`, `… to part 3`. */
function readSecondPart(name: Name, draft: EpisodeDraft, last: number): void {
  const [word, part, number] = [1, 2, 3].map((step) => name.tokens[last + step]);
  const end = number?.value ?? -1;
  const start = draft.episodes.at(-1) ?? 0;
  if (!partWords.has(part?.key ?? '') || end <= start || end > start + 60) return;
  if (word?.key === 'and' || word?.key === '&') add(draft.episodes, [end]);
  else if (word?.key === 'to')
    for (let next = start + 1; next <= end; next += 1) add(draft.episodes, [next]);
  else return;
  take(name, draft, last + 1, last + 3, 'episode');
}
