/**
 * What sources on the network said of items, as it was merged. It stays when a source goes away, and
 * lets a library change the order of its sources without asking them again.
 */
import type { Knex } from 'knex';
import type { Database } from '../../../../kernel/store/index.ts';
import { chunks, inChunks } from './rows.ts';

interface AnswerRow {
  readonly item_no: number;
  readonly plugin_id: string;
  readonly answer: string;
  readonly chosen: string | null;
}

/** What a source said of an item. */
export interface KeptAnswer {
  /** JSON; `null` = it did not know the entry that it was asked about. */
  readonly answer: string;
  /**
   * The entry that a person chose and that the source was asked about: it may have answered with
   * another one, where its catalogue moved it. `null` = it looked for one.
   */
  readonly chosen: string | null;
}

/** What changed of the answers for an item, by plugin; `null` = the source says nothing any longer. */
export interface AnswerChanges {
  readonly itemNo: number;
  readonly answers: ReadonlyMap<string, KeptAnswer | null>;
}

/** The kept answers of these items, by plugin. */
export async function readKeptAnswers(
  db: Knex,
  itemNumbers: readonly number[],
): Promise<ReadonlyMap<number, ReadonlyMap<string, KeptAnswer>>> {
  const rows = await inChunks(itemNumbers, (group) =>
    db<AnswerRow>('kept_answers').whereIn('item_no', group).select('*'),
  );
  const ofItem = Map.groupBy(rows, ({ item_no }) => item_no);
  return new Map(
    [...ofItem].map(([no, own]) => [
      no,
      new Map(own.map(({ plugin_id, answer, chosen }) => [plugin_id, { answer, chosen }])),
    ]),
  );
}

/** Stores changed answers. */
export async function saveAnswers(
  insertRows: Database['insertRows'],
  trx: Knex.Transaction,
  changes: readonly AnswerChanges[],
): Promise<void> {
  const rows = changes.flatMap(({ itemNo, answers }) =>
    [...answers].map(([plugin_id, kept]) => ({ item_no: itemNo, plugin_id, kept })),
  );
  const said = rows.flatMap(({ kept, ...key }): AnswerRow[] =>
    kept === null ? [] : [{ ...key, ...kept }],
  );
  const onConflict = { columns: ['item_no', 'plugin_id'], update: ['answer', 'chosen'] } as const;
  if (said.length > 0) await insertRows(trx, 'kept_answers', said, onConflict);
  for (const { item_no, plugin_id, kept } of rows)
    if (kept === null) await trx('kept_answers').where({ item_no, plugin_id }).delete();
}

/** Forgets the answers of items that are deleted. */
export async function deleteAnswers(
  trx: Knex.Transaction,
  itemNumbers: readonly number[],
): Promise<void> {
  for (const group of chunks(itemNumbers, 500))
    await trx('kept_answers').whereIn('item_no', group).delete();
}
