import type { ItemRow, ItemStatus } from '../tables/item-store.ts';
import { columnsOf, parseEdits, type ItemValues } from '../items/item-values.ts';
import { namedResolution } from '../tables/item-facts.ts';
import { parseMap } from '../tables/rows.ts';

/** One item while a page is committed. */
export interface ItemEntry {
  /** The item as it will be stored. */
  readonly row: ItemRow;
  /** Its status before the page; null = this page makes it. */
  readonly before: ItemStatus | null;
  /** How many active files it has now. */
  active: number;
  isChanged: boolean;
  hasNewKey: boolean;
  /** Its new values, if this page sets them. */
  values: ItemValues | null;
  /** The item into which this one was merged. */
  mergedInto: ItemEntry | null;
}

/** The items that a page touches, by number and by group key. */
export type ItemUnitOfWork = ReturnType<typeof createItemUnitOfWork>;

export function createItemUnitOfWork() {
  const byNumber = new Map<number, ItemEntry>();
  const byKey = new Map<string, ItemEntry>();

  function changeKey(entry: ItemEntry, groupKey: string): void {
    if (byKey.get(entry.row.group_key) === entry) byKey.delete(entry.row.group_key);
    entry.row.group_key = groupKey;
    entry.hasNewKey = true;
    entry.isChanged = true;
    byKey.set(groupKey, entry);
  }

  return {
    entries: (): readonly ItemEntry[] => [...byNumber.values()],
    byNumber: (no: number | null): ItemEntry | undefined =>
      no === null ? undefined : byNumber.get(no),
    byKey: (groupKey: string): ItemEntry | undefined => byKey.get(groupKey),
    open: (row: ItemRow, before: ItemStatus | null, active: number): ItemEntry => {
      const entry = {
        row,
        before,
        active,
        isChanged: before === null,
        hasNewKey: false,
        values: null,
        mergedInto: null,
      };
      byNumber.set(row.no, entry);
      byKey.set(row.group_key, entry);
      return entry;
    },
    /** Sets the values that a plugin found; a person's edits stay on top. */
    setValues: (entry: ItemEntry, values: ItemValues): void => {
      const columns = columnsOf(values, parseEdits(entry.row.edits));
      Object.assign(entry.row, columns);
      entry.row.resolution ??= namedResolution(values.metadata);
      entry.row.provenance = values.provenance;
      entry.row.is_named = values.isNamed;
      entry.values = values;
      entry.isChanged = true;
    },
    changeKey,
    /** Merges an item that this scan made into the one that it turned out to be. */
    merge: (newcomer: ItemEntry, former: ItemEntry): void => {
      const { title, metadata } = newcomer.row;
      const known = { title, metadata: parseMap(metadata) };
      const columns = columnsOf(known, parseEdits(former.row.edits));
      Object.assign(former.row, columns);
      former.row.provenance = newcomer.row.provenance;
      former.row.is_named = newcomer.row.is_named;
      former.row.assets = newcomer.row.assets;
      former.row.asset_aspects = newcomer.row.asset_aspects;
      former.row.attachments = newcomer.row.attachments;
      former.active += newcomer.active;
      newcomer.active = 0;
      newcomer.mergedInto = former;
      changeKey(former, newcomer.row.group_key);
    },
  };
}
