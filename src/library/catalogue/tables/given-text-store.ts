/**
 * The content of text tracks that plugins gave: a text itself, or what was at an address when a viewer
 * first asked for it. It is kept with the item, until its plugin gives it no longer or is removed.
 */
import { createHash } from 'node:crypto';
import type { Knex } from 'knex';
import type { Database } from '../../../../kernel/store/index.ts';
import { inChunks } from './rows.ts';

/** A row of `given_texts`. */
interface GivenTextRow {
  readonly item_no: number;
  /** Names the track within its item. */
  readonly key: string;
  readonly plugin_id: string;
  /** SHA-256 of the bytes. */
  readonly hash: string;
  readonly bytes: Uint8Array;
}

/** The content of a track. */
export interface GivenText {
  readonly itemNo: number;
  readonly key: string;
  readonly pluginId: string;
  readonly bytes: Uint8Array;
}

/** What an ingest found of an item: the keys of its given tracks, and the texts among them. */
export interface ItemGivenTexts {
  readonly itemNo: number;
  readonly keys: ReadonlySet<string>;
  readonly texts: readonly Omit<GivenText, 'itemNo'>[];
}

const sha256 = (content: string | Uint8Array): string =>
  createHash('sha256').update(content).digest('hex');

/** The key of a track: equal ones of one plugin are one. */
export const givenKey = (
  pluginId: string,
  { uri, text }: { readonly uri?: string | undefined; readonly text?: string | undefined },
): string => sha256(JSON.stringify([pluginId, uri ?? null, text ?? null])).slice(0, 32);

/** Replaces the texts of the last ingest by those of this one; what was fetched stays. */
export async function replaceGivenTexts(
  insertRows: Database['insertRows'],
  trx: Knex.Transaction,
  items: readonly ItemGivenTexts[],
): Promise<void> {
  const known = await inChunks(
    items.map(({ itemNo }) => itemNo),
    (group) => trx<GivenTextRow>('given_texts').whereIn('item_no', group).select('item_no', 'key'),
  );
  const knownOf = Map.groupBy(known, (row) => row.item_no);
  const added: GivenTextRow[] = [];
  for (const { itemNo, keys, texts } of items) {
    const before = (knownOf.get(itemNo) ?? []).map(({ key }) => key);
    const gone = before.filter((key) => !keys.has(key));
    if (gone.length > 0)
      await trx('given_texts').where('item_no', itemNo).whereIn('key', gone).delete();
    added.push(
      ...texts.filter(({ key }) => !before.includes(key)).map((text) => rowOf({ itemNo, ...text })),
    );
  }
  await insertRows(trx, 'given_texts', added);
}

/** Keeps what was fetched for an item that is still there. */
export async function keepGivenText(trx: Knex.Transaction, text: GivenText): Promise<void> {
  const item: object | undefined = await trx<{ readonly no: number }>('items')
    .where('no', text.itemNo)
    .first('no');
  if (item === undefined) return;
  await trx('given_texts').insert(rowOf(text)).onConflict(['item_no', 'key']).ignore();
}

const rowOf = ({ itemNo, key, pluginId, bytes }: GivenText): GivenTextRow => ({
  item_no: itemNo,
  key,
  plugin_id: pluginId,
  hash: sha256(bytes),
  bytes: Buffer.from(bytes),
});

/** The hash of the content of a track; `undefined` = it is not kept. */
export async function findGivenHash(
  db: Knex,
  itemNo: number,
  key: string,
): Promise<string | undefined> {
  const row = await db<GivenTextRow>('given_texts').where({ item_no: itemNo, key }).first('hash');
  return row?.hash;
}

/** The content of a track. */
export async function readGivenText(
  db: Knex,
  itemNo: number,
  key: string,
): Promise<Uint8Array | undefined> {
  const row = await db<GivenTextRow>('given_texts').where({ item_no: itemNo, key }).first('bytes');
  return row?.bytes;
}

/** Deletes all texts of these items; `items` are numbers, or a query that gives them. */
export async function deleteGivenTexts(
  trx: Knex.Transaction,
  items: readonly number[] | Knex.QueryBuilder,
): Promise<void> {
  await trx('given_texts')
    .whereIn('item_no', 'clone' in items ? items.clone() : [...items])
    .delete();
}

/** Deletes what a plugin gave, with its other data. */
export async function forgetGivenTexts(trx: Knex.Transaction, pluginId: string): Promise<void> {
  await trx('given_texts').where('plugin_id', pluginId).delete();
}
