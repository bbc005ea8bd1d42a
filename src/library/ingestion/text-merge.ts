/**
 * Titles and summaries in the languages of a library. What is stored with an item is in the first of
 * them that a source has; the others are kept beside it.
 */
import type { Identification } from '../../../plugin-api/index.ts';
import { canonicalTags } from '../../platform/language-tag.ts';
import { withoutTexts, type TextsByLanguage } from '../catalogue/commit/index.ts';

/**
 * The answer with its texts in the first language of the library, and with `texts` in the others: so
 * another order of the languages counts without a request.
 */
export function inFirstLanguage(
  answer: Identification,
  languages: readonly string[],
): Identification {
  const { texts, ...rest } = answer;
  if (texts === undefined) return answer;
  const [first = '', ...others] = canonicalTags(languages);
  const { title = answer.title, overview } = texts[first] ?? {};
  const kept = others.flatMap((language) => {
    const own = texts[language];
    return own === undefined ? [] : [[language, own] as const];
  });
  return {
    ...rest,
    title,
    metadata: overview === undefined ? rest.metadata : { ...rest.metadata, overview },
    ...(kept.length > 0 && { texts: Object.fromEntries(kept) }),
  };
}

/** The texts without those that another source has, which wins this field. */
export function withoutTextsOf(
  texts: TextsByLanguage,
  field: string,
  winner: TextsByLanguage,
): TextsByLanguage {
  const isField = { title: field === 'title', overview: field === 'overview' };
  if (!isField.title && !isField.overview) return texts;
  return Object.fromEntries(
    Object.entries(texts).map(([language, own]) => {
      const has = winner[language]?.[isField.title ? 'title' : 'overview'] !== undefined;
      return [language, has ? withoutTexts({ own }, isField)['own'] : own];
    }),
  ) as TextsByLanguage;
}
