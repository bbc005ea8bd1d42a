import { parseMap } from '../tables/rows.ts';
import { bestTexts, withoutTexts, type Texts, type TextsByLanguage } from './item-texts.ts';

/** The texts of an entity in the languages of the viewer: the column `texts`. */
export const entityTexts = (column: string | null, languages: readonly string[]): Texts =>
  column === null || languages.length === 0
    ? {}
    : bestTexts(parseMap(column) as TextsByLanguage, languages);

/** The column without texts that a person edited. */
export function columnWithout(
  column: string | null,
  edited: { readonly title: boolean; readonly overview: boolean },
): string | null {
  if (column === null) return null;
  return JSON.stringify(withoutTexts(parseMap(column) as TextsByLanguage, edited));
}
