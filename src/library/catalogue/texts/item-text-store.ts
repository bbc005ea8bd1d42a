/**
 * Titles and summaries of items in the further languages of their library. What is stored with the
 * item is in the first one. A text that a person edited is in none of these rows, so it counts in
 * every language.
 */
import type { Knex } from 'knex';
import type { Database } from '../../../../kernel/store/index.ts';
import { chunks, inChunks } from '../tables/rows.ts';
import type { Texts, TextsByLanguage } from './item-texts.ts';

interface TextRow {
  readonly item_no: number;
  readonly language: string;
  readonly title: string | null;
  readonly overview: string | null;
}

/** Replaces the texts of these items; gives the numbers of those of which a text changed. */
export async function replaceTexts(
  insertRows: Database['insertRows'],
  trx: Knex.Transaction,
  texts: ReadonlyMap<number, TextsByLanguage>,
): Promise<ReadonlySet<number>> {
  const known = await inChunks([...texts.keys()], (group) =>
    trx<TextRow>('item_texts').whereIn('item_no', group).select('*'),
  );
  const before = Map.groupBy(known, ({ item_no: no }) => no);
  const rows = new Map([...texts].map(([no, own]) => [no, rowsOf(no, own)]));
  const changed = [...rows].filter(([no, own]) => textOf(own) !== textOf(before.get(no) ?? []));
  const stale = changed.flatMap(([no]) => (before.has(no) ? [no] : []));
  for (const group of chunks(stale, 500))
    await trx('item_texts').whereIn('item_no', group).delete();
  const added = changed.flatMap(([, own]) => own);
  if (added.length > 0) await insertRows(trx, 'item_texts', added);
  return new Set(changed.map(([no]) => no));
}

function rowsOf(no: number, texts: TextsByLanguage): readonly TextRow[] {
  return Object.entries(texts).flatMap(([language, { title = null, overview = null }]) =>
    title === null && overview === null ? [] : [{ item_no: no, language, title, overview }],
  );
}

const textOf = (rows: readonly TextRow[]): string =>
  JSON.stringify(
    rows.map(({ language, title, overview }) => [language, title, overview]).toSorted(),
  );

/** Removes texts of an item that a person edited. */
export async function dropTexts(
  trx: Knex.Transaction,
  itemNo: number,
  { title, overview }: { readonly title: boolean; readonly overview: boolean },
): Promise<void> {
  const rows = trx('item_texts').where('item_no', itemNo);
  if (title && overview) await rows.delete();
  else if (title || overview) await rows.update(title ? { title: null } : { overview: null });
}

/** What the texts of some items are read for. */
export interface TextQuestion {
  readonly no: number;
  /** The languages that the viewer reads, best first. */
  readonly languages: readonly string[];
}

/** The texts of each item that has some in the languages that are wanted of it, in one statement. */
export async function readTexts(
  db: Knex,
  questions: readonly TextQuestion[],
  { withOverviews }: { readonly withOverviews: boolean },
): Promise<ReadonlyMap<number, Texts>> {
  const open = questions.filter(({ languages }) => languages.length > 0);
  if (open.length === 0) return new Map();
  const languages = [...new Set(open.flatMap((one) => one.languages))];
  const rows = await inChunks(
    open.map(({ no }) => no),
    (group) =>
      db<TextRow>('item_texts')
        .whereIn('item_no', group)
        .whereIn('language', languages)
        .select('item_no', 'language', 'title', ...(withOverviews ? ['overview' as const] : [])),
  );
  const ofItem = Map.groupBy(rows, ({ item_no: no }) => no);
  return new Map(
    open.flatMap((one) => {
      const own = ofItem.get(one.no);
      return own === undefined ? [] : [[one.no, best(own, one.languages)] as const];
    }),
  );
}

/** Each text in the first of the languages that has it. */
function best(rows: readonly Partial<TextRow>[], languages: readonly string[]): Texts {
  const inOrder = languages.flatMap(
    (language) => rows.find((row) => row.language === language) ?? [],
  );
  const title = inOrder.find((row) => row.title != null)?.title;
  const overview = inOrder.find((row) => row.overview != null)?.overview;
  return { ...(title != null && { title }), ...(overview != null && { overview }) };
}

/** The titles of these items in all further languages, by number. */
export async function readOtherTitles(
  db: Knex,
  itemNumbers: readonly number[],
): Promise<ReadonlyMap<number, readonly string[]>> {
  const rows = await inChunks(itemNumbers, (group) =>
    db<TextRow>('item_texts')
      .whereIn('item_no', group)
      .whereNotNull('title')
      .orderBy(['item_no', 'language'])
      .select('item_no', 'title'),
  );
  const ofItem = Map.groupBy(rows, ({ item_no: no }) => no);
  return new Map(
    [...ofItem].map(([no, own]) => [no, [...new Set(own.flatMap(({ title }) => title ?? []))]]),
  );
}
