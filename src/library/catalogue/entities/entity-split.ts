/** Splits items off an entity into a new one, because a person says that they belong to another. */
import type { Database } from '../../../../kernel/store/index.ts';
import { AppError } from '../../../platform/errors.ts';
import type { NewId } from '../../../platform/uuid-v7.ts';
import { takeNumbers } from '../tables/counter-store.ts';
import { keyOfName } from './entity-edit.ts';
import { renumberLinked, touchEntities } from '../tables/entity-link-store.ts';
import { insertEntityRows, insertTraces, readEntityRows } from '../tables/entity-store.ts';
import { sortTitle } from '../tables/normalize-name.ts';
import { inChunks } from '../tables/rows.ts';
import { saveSplitLinks } from '../tables/split-link-store.ts';
import type { EntitySplit } from '../../../contract/resources/library/entities.ts';

const mostItems = 500;
const longestName = 1000;

/** Refuses an invalid split. */
export function assertSplit({ itemIds, name }: EntitySplit): void {
  if (itemIds.length === 0 || itemIds.length > mostItems)
    throw refusal(`itemIds must name 1 to ${mostItems} items.`);
  if (name !== undefined && (name.trim() === '' || name.length > longestName))
    throw refusal(`name must have 1 to ${longestName} characters.`);
}

/**
 * Makes another entity of these items, independent of their later mentions. Gives its id. An entity
 * that is a parent (the show of seasons, the artist of albums) cannot be split, since its children
 * belong to it.
 */
export async function splitEntity(
  parts: Pick<Database, 'write' | 'insertRows'> & { readonly newId: NewId },
  fromNo: number,
  { itemIds, name }: EntitySplit,
  now: number,
): Promise<string> {
  const { insertRows } = parts;
  const id = parts.newId();
  await parts.write(async (trx) => {
    const [from] = await readEntityRows(trx, [fromNo]);
    if (from === undefined) throw new AppError('not_found', { what: 'The entity' });
    const part = await trx('entities').where('parent_no', fromNo).first<{ name: string }>('name');
    if (part !== undefined)
      throw refusal(
        `${from.name} has parts of its own, such as ${part.name}: split those instead.`,
      );
    const ids = [...new Set(itemIds)];
    const items = await inChunks(ids, (group) =>
      trx('items')
        .join('item_entities', 'item_entities.item_no', 'items.no')
        .where('item_entities.entity_no', fromNo)
        .whereIn('items.id', group)
        .distinct<{ no: number; id: string }[]>('items.no', 'items.id'),
    );
    const found = new Set(items.map((item) => item.id));
    const stranger = ids.find((one) => !found.has(one));
    if (stranger !== undefined)
      throw refusal(`itemIds has ${stranger}, which is not an item of ${from.name}.`);
    const no = await takeNumbers(trx, 1);
    const chosen = name?.trim() ?? from.name;
    const key = keyOfName(from, chosen);
    await insertEntityRows(insertRows, trx, [
      {
        ...from,
        no,
        id,
        key: `${key}\n${no}`,
        name: chosen,
        sort_name: name === undefined ? from.sort_name : sortTitle(chosen),
        status: 'pending',
        source_plugin_id: null,
        search_terms: null,
        texts: null,
        metadata: null,
        assets: null,
        asset_aspects: null,
        hidden: false,
        year: null,
        // A person made it: it is kept without items, and its name is locked.
        edits: JSON.stringify({ name: chosen }),
        provenance: null,
        created_at: now,
        updated_at: now,
      },
    ]);
    // Another name leads to it from now on; the same name keeps leading to the original entity.
    const names = key === keyOfName(from, from.name) ? [] : [{ key, entity_no: no }];
    await insertTraces(insertRows, trx, { ids: [], names, pictures: [] });
    await touchEntities(trx, [fromNo]);
    const numbers = items.map((item) => item.no);
    await inChunks(numbers, async (group) => {
      await trx('item_entities')
        .where('entity_no', fromNo)
        .whereIn('item_no', group)
        .update({ entity_no: no });
      return [];
    });
    await saveSplitLinks(
      insertRows,
      trx,
      numbers.map((item_no) => ({ item_no, from_no: fromNo, to_no: no })),
    );
    await touchEntities(trx, [no]);
    await renumberLinked(trx, [no]);
  });
  return id;
}

function refusal(what: string): AppError {
  return new AppError('invalid_request', { what });
}
