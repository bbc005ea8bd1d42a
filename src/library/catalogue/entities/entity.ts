import type { Queries } from '../../../../kernel/storage/index.ts';
import type { EntityRow, EntityStatus, ShownEntityRow } from '../tables/entity-store.ts';
import { isMap, parseList, parseMap, timestamp } from '../tables/rows.ts';

/** The Entity resource. */
export interface Entity {
  readonly id: string;
  /** Open: `person genre artist album show season series studio`. */
  readonly type: string;
  readonly name: string;
  readonly status: EntityStatus;
  readonly sourcePluginId: string | null;
  /** Other words by which it is found. */
  readonly searchTerms: string | null;
  readonly assets: Readonly<Record<string, string>>;
  readonly assetAspects: Readonly<Record<string, string>>;
  readonly createdAt: string;
  readonly updatedAt: string;
}

/** One entity in full, with fields that lists leave out for their size. */
export interface EntityDetail extends Entity {
  /** What providers call it: `{"imdb": "nm0000206"}`. */
  readonly ids: Readonly<Record<string, string>>;
  readonly metadata: Readonly<Record<string, unknown>>;
  readonly hidden: boolean;
  /** How many of its items the viewer may see. */
  readonly itemCount: number;
  /** Whether it is a favourite of the viewer's profile. */
  readonly favourite: boolean;
  /** Keys that a person changed: scans do not change them. */
  readonly lockedFields: readonly string[];
  /** Which plugin wrote what; for admins. */
  readonly provenance: readonly Readonly<Record<string, unknown>>[];
}

/** What a person may change. Null removes a key of a map. */
export interface EntityChanges {
  readonly name?: string | undefined;
  readonly searchTerms?: string | null | undefined;
  readonly hidden?: boolean | undefined;
  readonly assets?: Readonly<Record<string, string | null>> | undefined;
  readonly assetAspects?: Readonly<Record<string, string | null>> | undefined;
  readonly metadata?: Readonly<Record<string, unknown>> | undefined;
}

/** The favourites of a profile among entities, by their ids. */
export type FavouriteEntities = (
  db: Queries,
  profileId: string,
  entityIds: readonly string[],
) => Promise<readonly string[]>;

/** The entity of a row. */
export function toEntity(row: ShownEntityRow): Entity {
  return {
    id: row.id,
    type: row.type,
    name: row.name,
    status: row.status,
    sourcePluginId: row.source_plugin_id,
    searchTerms: row.search_terms,
    assets: parseMap<string>(row.assets),
    assetAspects: parseMap<string>(row.asset_aspects),
    createdAt: timestamp(row.created_at),
    updatedAt: timestamp(row.updated_at),
  };
}

/** The entity in full. */
export function toEntityDetail(
  row: EntityRow,
  parts: Pick<EntityDetail, 'ids' | 'itemCount' | 'favourite'> & {
    readonly showsProvenance: boolean;
  },
): EntityDetail {
  const { metadata, ...edits } = parseMap(row.edits);
  const locked = isMap(metadata) ? Object.keys(metadata).map((key) => `metadata.${key}`) : [];
  return {
    ...toEntity(row),
    ids: parts.ids,
    metadata: parseMap(row.metadata),
    hidden: Boolean(row.hidden),
    itemCount: parts.itemCount,
    favourite: parts.favourite,
    lockedFields: [...Object.keys(edits), ...locked],
    provenance: parts.showsProvenance ? parseList(row.provenance).filter(isMap) : [],
  };
}
