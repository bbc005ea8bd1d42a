import { isMap, parseList, parseMap } from '../tables/rows.ts';
import type { EntityRow } from '../tables/entity-store.ts';
import { entityTexts } from '../texts/entity-texts.ts';
import type { ListedEntity } from '../../../contract/resources/library/catalogue.ts';

/** One entity in full, with fields that lists leave out for their size. */
export interface EntityDetail extends ListedEntity {
  /** What providers call it: `{"imdb": "nm0000206"}`. */
  readonly ids: Readonly<Record<string, string>>;
  readonly metadata: Readonly<Record<string, unknown>>;
  readonly hidden: boolean;
  /** Keys that a person changed: scans do not change them. */
  readonly lockedFields: readonly string[];
  /** Which plugin wrote what; for admins. */
  readonly provenance: readonly Readonly<Record<string, unknown>>[];
}

/** The entity in full. */
export function toEntityDetail(
  listed: ListedEntity,
  row: EntityRow,
  parts: Pick<EntityDetail, 'ids'> & {
    readonly showsProvenance: boolean;
    /** Of the entity itself, as the viewer may see it. */
    readonly metadata: EntityDetail['metadata'];
    /** Of its summary, best first. */
    readonly languages: readonly string[];
  },
): EntityDetail {
  const { metadata: edited, ...edits } = parseMap(row.edits);
  const { overview } = entityTexts(row.texts, parts.languages);
  const locked = isMap(edited) ? Object.keys(edited).map((key) => `metadata.${key}`) : [];
  return {
    ...listed,
    ids: parts.ids,
    metadata: { ...parts.metadata, ...(overview !== undefined && { overview }) },
    hidden: Boolean(row.hidden),
    lockedFields: [...Object.keys(edits), ...locked],
    provenance: parts.showsProvenance ? parseList(row.provenance).filter(isMap) : [],
  };
}
