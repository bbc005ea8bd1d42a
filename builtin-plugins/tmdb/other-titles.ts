/**
 * Titles in other languages. TMDB finds an entry by any of its titles, and lists it with the title in
 * one language and the original one. So an entry that was listed, and is like none of the titles that
 * are known, is asked for all of its titles.
 */
import type { ListedEntry, Wanted } from '../catalogue-lookup/lookup.ts';
import { confidenceOf, leastConfidence } from '../catalogue-lookup/score.ts';
import { partOf, partsOf, textsOf, type Part } from '../catalogue-lookup/values.ts';

/** Entries that are asked for their titles in one search; TMDB lists the likeliest first. */
const mostAsked = 3;

/** The entries, with all of their titles where none is like what was asked for. */
export async function withOtherTitles(
  entries: readonly ListedEntry[],
  { question }: Pick<Wanted, 'question'>,
  wholeOf: (id: string) => Promise<Part>,
): Promise<readonly ListedEntry[]> {
  if (entries.some((entry) => confidenceOf(question, entry) >= leastConfidence)) return entries;
  // As if it had the title that is asked for: is it then the one?
  const likely = entries
    .filter(
      (entry) => confidenceOf(question, { ...entry, title: question.title }) >= leastConfidence,
    )
    .slice(0, mostAsked);
  const wholes = await Promise.all(likely.map(({ id }) => wholeOf(id)));
  return entries.map((entry) => {
    const whole = wholes[likely.indexOf(entry)];
    if (whole === undefined) return entry;
    return { ...entry, otherTitles: [...(entry.otherTitles ?? []), ...titlesIn(whole)] };
  });
}

/** Films have `title` where series have `name`. */
function titlesIn({ alternative_titles: alternative, translations }: Part): readonly string[] {
  const { titles, results } = partOf(alternative);
  const others = [...partsOf(titles), ...partsOf(results)].map(({ title }) => title);
  const translated = partsOf(partOf(translations)['translations']).flatMap(({ data }) => {
    const { title, name } = partOf(data);
    return [title, name];
  });
  return textsOf([...others, ...translated]);
}
