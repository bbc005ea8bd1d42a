import type { Queries } from '../../../../kernel/storage/index.ts';
import type { Scope } from '../access/index.ts';
import { readTexts } from './item-text-store.ts';
import type { Texts } from './item-texts.ts';

/**
 * The texts of these items in the language of the viewer, by number: one statement for a page, and
 * none where what is stored is in that language.
 */
export function readShownTexts(
  db: Queries,
  items: readonly { readonly no: number; readonly library_no: number }[],
  scope: Pick<Scope, 'libraries'>,
  options: { readonly withOverviews: boolean } = { withOverviews: true },
): Promise<ReadonlyMap<number, Texts>> {
  const languages = new Map(scope.libraries.map((one) => [one.no, one.textLanguages]));
  const questions = items.map(({ no, library_no: libraryNo }) => ({
    no,
    languages: languages.get(libraryNo) ?? [],
  }));
  return readTexts(db, questions, options);
}
