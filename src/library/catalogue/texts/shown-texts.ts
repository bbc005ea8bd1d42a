import type { Queries } from '../../../../kernel/store/index.ts';
import type { Scope } from '../access/index.ts';
import { readTexts } from './item-text-store.ts';
import { numberList } from '../tables/entity-count-store.ts';
import { inChunks } from '../tables/rows.ts';
import { entityTexts } from './entity-texts.ts';
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

/** The names of the shows of these items in the language of the viewer, by number of the item. */
export async function readShowNames(
  db: Queries,
  items: readonly { readonly no: number; readonly library_no: number }[],
  { libraries, entityLanguages }: Pick<Scope, 'libraries' | 'entityLanguages'>,
): Promise<ReadonlyMap<number, string>> {
  if (entityLanguages.length === 0) return new Map();
  const series = new Set(libraries.flatMap(({ no, type }) => (type === 'tv' ? [no] : [])));
  const episodes = items.filter((one) => series.has(one.library_no)).map(({ no }) => no);
  const rows = await inChunks(episodes, (group) =>
    db.raw<{ readonly item_no: number; readonly texts: string }[]>(
      `select link.item_no, entity.texts from item_entities as link cross join entities as entity
       where link.item_no in ${numberList(group)} and entity.no = link.entity_no
         and entity.type = 'show' and entity.texts is not null`,
    ),
  );
  return new Map(
    rows.flatMap(({ item_no: no, texts }) => {
      const { title } = entityTexts(texts, entityLanguages);
      return title === undefined ? [] : [[no, title] as const];
    }),
  );
}
