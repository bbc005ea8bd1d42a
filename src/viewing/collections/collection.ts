import { toTimestamp } from '../../platform/clock.ts';
import type { CollectionKind, CollectionOrder, CollectionSort } from './collection-sort.ts';
import type { CollectionRow } from './collection-store.ts';
import type { Cover } from './cover.ts';

/** The Collection resource. */
export interface Collection {
  readonly id: string;
  readonly kind: CollectionKind;
  /** Its owner; null = an automatic collection. */
  readonly userId: string | null;
  /** The profile of the owner to which it belongs: other profiles do not see it. */
  readonly profileId: string | null;
  /** The owner's own id for it: copies of the collection have the same. */
  readonly distributedId: string;
  readonly name: string;
  readonly description: string | null;
  /** Open: `movies tv music audiobooks books photos`; null = mixed. */
  readonly mediaType: string | null;
  readonly sortBy: CollectionSort;
  readonly sortOrder: CollectionOrder;
  readonly hidden: boolean;
  /** How many items of it the viewer may see. */
  readonly itemCount: number;
  /** The entity whose items it has, if it is automatic; null = people choose the items. */
  readonly rule: { readonly entityId: string } | null;
  /** `cover`: the picture of the chosen item, or of the first visible item that has one. */
  readonly assets: Readonly<Record<string, string>>;
  readonly assetAspects: Readonly<Record<string, string>>;
  /** The item chosen for the cover. */
  readonly coverItemId: string | null;
  readonly createdAt: string;
  readonly updatedAt: string;
}

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

/** What a new collection needs. */
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
