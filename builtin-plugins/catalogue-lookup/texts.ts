/** Titles and summaries in all languages of a library, as an answer has them beside the best ones. */
import type { Identification } from '../../plugin-api/index.ts';
import { textOf } from './values.ts';

/** The `texts` of an answer. */
export type Texts = NonNullable<Identification['texts']>;

/**
 * What a catalogue has in each language of the library. A library of one language has what the answer
 * says anyway, so nothing is kept for it.
 */
export function textsIn(
  languages: readonly string[],
  inLanguage: (tag: string) => { readonly title?: unknown; readonly overview?: unknown },
): { readonly texts?: Texts } {
  if (languages.length < 2) return {};
  const found = languages.flatMap((tag) => {
    const said = inLanguage(tag);
    const [title, overview] = [textOf(said.title), textOf(said.overview)];
    if (title === undefined && overview === undefined) return [];
    const own = {
      ...(title !== undefined && { title }),
      ...(overview !== undefined && { overview }),
    };
    return [[tag, own] as const];
  });
  return found.length === 0 ? {} : { texts: Object.fromEntries(found) };
}
