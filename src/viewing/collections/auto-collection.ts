/** The rules of automatic collections, and the fields that an admin may override. */
import type { EntityCensus } from '../../library/catalogue/index.ts';
import { sortNameOf } from './collection-fields.ts';
import type { CollectionSort } from './collection-sort.ts';
import type { CollectionRow } from './collection-store.ts';
import type { CollectionFields } from './collection.ts';

/** A rule for one type of entity. */
interface AutoCollectionRule {
  /** An entity with fewer items gets no collection. */
  readonly least: number;
  readonly sortBy: CollectionSort;
}

const rules: Readonly<Record<string, AutoCollectionRule>> = {
  series: { least: 2, sortBy: 'year' },
  genre: { least: 2, sortBy: 'title' },
};

/** The rule for the collection of an entity; null if its type gets none. */
export function ruleOf(entity: Pick<EntityCensus, 'type'>): AutoCollectionRule | null {
  return Object.hasOwn(rules, entity.type) ? (rules[entity.type] ?? null) : null;
}

/** Whether an entity has enough items for a collection. */
export function hasCollection(entity: EntityCensus): boolean {
  const rule = ruleOf(entity);
  if (rule === null || entity.hidden) return false;
  const total = [...entity.items.values()].reduce((sum, items) => sum + items, 0);
  return total >= rule.least;
}

/** The row of the collection of an entity. */
export function autoCollectionRow(
  entity: EntityCensus,
  parts: { readonly id: string; readonly mediaType: string; readonly now: number },
): Omit<CollectionRow, 'no'> {
  return {
    id: parts.id,
    kind: 'collection',
    user_id: '',
    profile_id: '',
    cover_item_id: null,
    distributed_id: `${entity.type}:${entity.id}`,
    name: entity.name,
    sort_name: sortNameOf(entity.name),
    description: '',
    media_type: parts.mediaType,
    sort_by: ruleOf(entity)?.sortBy ?? 'title',
    sort_order: 'asc',
    hidden: false,
    rule_entity_no: entity.no,
    edits: null,
    created_at: parts.now,
    updated_at: parts.now,
  };
}

/** The current values from the entity, except fields that an admin changed. */
export function refreshed(
  row: CollectionRow,
  entity: EntityCensus,
  mediaType: string,
): Partial<CollectionRow> | null {
  const edits = editsOf(row);
  const name = edits.includes('name') ? row.name : entity.name;
  const media_type = edits.includes('mediaType') ? row.media_type : mediaType;
  if (name === row.name && media_type === row.media_type) return null;
  return { name, sort_name: sortNameOf(name), media_type };
}

/** Records which fields an admin changed, so that they stay. */
export function editedColumns(
  row: CollectionRow,
  changes: CollectionFields,
): Pick<CollectionRow, 'edits'> {
  const changed = Object.entries(changes).flatMap(([key, value]) =>
    value === undefined ? [] : key,
  );
  return { edits: JSON.stringify([...new Set([...editsOf(row), ...changed])]) };
}

function editsOf({ edits }: Pick<CollectionRow, 'edits'>): readonly string[] {
  const list: unknown = edits === null ? [] : JSON.parse(edits);
  return Array.isArray(list) ? list.filter((key) => typeof key === 'string') : [];
}
