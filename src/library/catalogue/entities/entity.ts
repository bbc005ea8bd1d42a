import type { ShownEntityRow } from '../tables/entity-store.ts';
import { entityTexts } from '../texts/entity-texts.ts';
import { parseMap, timestamp } from '../tables/rows.ts';
import type { Entity } from '../../../contract/resources/library/catalogue.ts';

/** What a person may change. Null removes a key of a map. */
export interface EntityChanges {
  readonly name?: string | undefined;
  readonly searchTerms?: string | null | undefined;
  readonly hidden?: boolean | undefined;
  readonly assets?: Readonly<Record<string, string | null>> | undefined;
  readonly assetAspects?: Readonly<Record<string, string | null>> | undefined;
  readonly metadata?: Readonly<Record<string, unknown>> | undefined;
}

/** The entity of a row, with its name in the first of the languages that has one. */
export function toEntity(row: ShownEntityRow, languages: readonly string[]): Entity {
  return {
    id: row.id,
    type: row.type,
    name: entityTexts(row.texts, languages).title ?? row.name,
    status: row.status,
    sourcePluginId: row.source_plugin_id,
    searchTerms: row.search_terms,
    assets: parseMap<string>(row.assets),
    assetAspects: parseMap<string>(row.asset_aspects),
    createdAt: timestamp(row.created_at),
    updatedAt: timestamp(row.updated_at),
  };
}
