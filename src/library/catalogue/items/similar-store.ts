import type { Queries } from '../../../../kernel/store/index.ts';
import { isActiveItem, itemShows, type Scope } from '../access/index.ts';
import { numberList } from '../tables/entity-count-store.ts';
import { inChunks, type BigNumber } from '../tables/rows.ts';

/** An entity that says what an item is about or who made it. */
export interface Trait {
  readonly entityNo: number;
  readonly type: string;
  /** How many items have it, in all libraries. */
  readonly items: number;
}

/** The traits of an item; those that are hidden only for a scope that shows them. */
export async function readTraits(
  db: Queries,
  itemNo: number,
  { types, showsHidden }: { readonly types: readonly string[]; readonly showsHidden: boolean },
): Promise<readonly Trait[]> {
  const rows = await db.raw<
    { readonly no: number; readonly type: string; readonly items: BigNumber | null }[]
  >(
    `select entities.no, entities.type,
       (select sum(items) from entity_counts where entity_no = entities.no) as items
     from entities where entities.no in (select entity_no from item_entities where item_no = ?)
       and entities.type in (${types.map((type) => `'${type}'`).join(', ')})
       ${showsHidden ? '' : 'and entities.hidden = 0'}`,
    [itemNo],
  );
  return rows.map(({ no, type, items }) => ({
    entityNo: no,
    type,
    items: Math.max(1, Number(items ?? 1)),
  }));
}

/** Numbers of items that have a trait: at most `most` on either side of a number. */
export async function readNear(
  db: Queries,
  {
    entityNo,
    itemNo,
    most,
  }: { readonly entityNo: number; readonly itemNo: number; readonly most: number },
): Promise<readonly number[]> {
  const side = (sign: '<' | '>', order: 'asc' | 'desc') =>
    db.raw<{ readonly item_no: number }[]>(
      `select distinct item_no from item_entities where entity_no = ? and item_no ${sign} ?
       order by item_no ${order} limit ?`,
      [entityNo, itemNo, most],
    );
  const [before, after] = await Promise.all([side('<', 'desc'), side('>', 'asc')]);
  return [...before, ...after].map(({ item_no }) => item_no);
}

/** An item, and which of the traits it has. */
export interface Sharer {
  readonly no: number;
  readonly id: string;
  /** 0 = unknown. */
  readonly year: number;
  readonly entityNos: readonly number[];
}

/** Those of the items that a scope shows, with the traits that they share. */
export async function readSharers(
  db: Queries,
  itemNos: readonly number[],
  {
    entityNos,
    scope,
  }: { readonly entityNos: readonly number[]; readonly scope: Pick<Scope, 'libraries'> },
): Promise<readonly Sharer[]> {
  const shows = itemShows(db, scope, { by: 'row' });
  const rows = await inChunks(itemNos, (group) =>
    db.raw<
      {
        readonly no: number;
        readonly id: string;
        readonly year: number | null;
        readonly entity_no: number;
      }[]
    >(
      `select distinct items.no, items.id, items.year, item_entities.entity_no
       from items join item_entities on item_entities.item_no = items.no
       where items.no in ${numberList(group)} and ${isActiveItem('row')} and ${shows.sql}
         and (item_entities.entity_no + 0) in ${numberList(entityNos)}`,
      [...shows.bindings],
    ),
  );
  const found = new Map<number, Sharer & { readonly entityNos: number[] }>();
  for (const { no, id, year, entity_no } of rows) {
    const one = found.get(no) ?? { no, id, year: year ?? 0, entityNos: [] };
    one.entityNos.push(entity_no);
    found.set(no, one);
  }
  return [...found.values()];
}
