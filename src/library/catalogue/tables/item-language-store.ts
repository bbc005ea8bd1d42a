import type { Knex } from 'knex';
import type { Database } from '../../../../kernel/store/index.ts';
import type { ItemLanguage } from './item-facts.ts';
import { chunks, inChunks } from './rows.ts';

interface LanguageRow extends ItemLanguage {
  readonly item_no: number;
}

/** Replaces the languages of these items; rows that stay are not written. */
export async function replaceLanguages(
  insertRows: Database['insertRows'],
  trx: Knex.Transaction,
  languages: ReadonlyMap<number, readonly ItemLanguage[]>,
): Promise<void> {
  const known = await inChunks([...languages.keys()], (group) =>
    trx<LanguageRow>('item_languages').whereIn('item_no', group).select('*'),
  );
  const before = Map.groupBy(known, ({ item_no: no }) => no);
  const changed = [...languages].filter(
    ([no, list]) => textOf(list) !== textOf(before.get(no) ?? []),
  );
  const stale = changed.flatMap(([no]) => (before.has(no) ? [no] : []));
  for (const group of chunks(stale, 500))
    await trx('item_languages').whereIn('item_no', group).delete();
  const rows = changed.flatMap(([no, list]) => list.map((one) => ({ item_no: no, ...one })));
  await insertRows(trx, 'item_languages', rows);
}

const textOf = (list: readonly ItemLanguage[]): string =>
  list
    .map(({ used, language }) => `${used}:${language}`)
    .sort()
    .join(' ');
