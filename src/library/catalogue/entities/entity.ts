import type { ShownEntityRow } from '../tables/entity-store.ts';
import { entityTexts } from '../texts/entity-texts.ts';
import { parseMap, timestamp } from '../tables/rows.ts';
import type { Entity } from '../../../contract/resources/library/catalogue.ts';

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
