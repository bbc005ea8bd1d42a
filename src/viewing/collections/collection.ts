import { toTimestamp } from '../../platform/clock.ts';
import type { CollectionKind, CollectionOrder, CollectionSort } from './collection-sort.ts';
import type { CollectionRow } from './collection-store.ts';
import type { Cover } from './cover.ts';
import type { Collection } from '../../contract/resources/library/collections.ts';

/** The fields that people set. */
export interface CollectionFields {
  readonly name?: string | undefined;
  readonly description?: string | null | undefined;
  readonly mediaType?: string | null | undefined;
  readonly sortBy?: CollectionSort | undefined;
  readonly sortOrder?: CollectionOrder | undefined;
  readonly hidden?: boolean | undefined;
  /** A visible item of the collection; `null` = the first one with a picture. */
  readonly coverItemId?: string | null | undefined;
}

export interface NewCollection extends CollectionFields {
  /** `collection` when absent. */
  readonly kind?: CollectionKind | undefined;
  /** A playlist has its own id when absent. */
  readonly distributedId?: string | undefined;
  readonly name: string;
}

/** The collection of a row. The columns of texts are empty where there is nothing. */
export function toCollection(
  row: CollectionRow & { readonly entity_id: string | null },
  itemCount: number,
  cover: Cover | undefined,
): Collection {
  return {
    id: row.id,
    kind: row.kind,
    userId: row.user_id || null,
    profileId: row.profile_id || null,
    distributedId: row.distributed_id,
    name: row.name,
    description: row.description || null,
    mediaType: row.media_type || null,
    sortBy: row.sort_by,
    sortOrder: row.sort_order,
    hidden: Boolean(row.hidden),
    itemCount,
    rule: row.entity_id === null ? null : { entityId: row.entity_id },
    assets: cover === undefined ? {} : { cover: cover.url },
    assetAspects: cover?.aspect === undefined ? {} : { cover: cover.aspect },
    coverItemId: row.cover_item_id,
    createdAt: toTimestamp(Number(row.created_at)),
    updatedAt: toTimestamp(Number(row.updated_at)),
  };
}
