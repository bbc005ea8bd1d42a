/**
 * Edits of an entity by a person: checked, and laid over what plugins say. Every scan keeps them.
 */
import { AppError } from '../../../platform/errors.ts';
import { nameKey } from './entity-name.ts';
import { checkMetadata } from './known-metadata.ts';
import type { EntityRow } from '../tables/entity-store.ts';
import { columnWithout } from '../texts/entity-texts.ts';
import { sortTitle } from '../tables/normalize-name.ts';
import { isMap, parseMap } from '../tables/rows.ts';
import type { EntityChanges } from '../../../contract/resources/library/entities.ts';

type EditedColumns = Pick<
  EntityRow,
  | 'name'
  | 'sort_name'
  | 'search_terms'
  | 'texts'
  | 'hidden'
  | 'assets'
  | 'asset_aspects'
  | 'metadata'
  | 'edits'
>;

const longestText = 1000;
const longestUrl = 2000;
const mostAssets = 20;
const largestEdits = 65_536;
const assetType = /^[a-z][a-z0-9-]{0,39}$/;
const pictureUrl = /^(?:https?:\/\/|\/api\/assets\/)\S+$/;
const aspects: readonly unknown[] = ['square', 'portrait', 'landscape', null];

/** The columns of an entity after an edit. */
export function editedColumns(row: EntityRow, changes: EntityChanges): EditedColumns {
  assertChanges(changes);
  const before = parseMap(row.edits);
  const { name = row.name, searchTerms = row.search_terms, hidden = row.hidden } = changes;
  const assets = mergedMap(parseMap(row.assets), changes.assets);
  const shownAspects = mergedMap(parseMap(row.asset_aspects), changes.assetAspects);
  const edits = JSON.stringify({
    ...before,
    ...(changes.name !== undefined && { name: name.trim() }),
    ...(changes.searchTerms !== undefined && { searchTerms }),
    ...(changes.hidden !== undefined && { hidden }),
    ...(changes.assets !== undefined && {
      assets: { ...(isMap(before['assets']) && before['assets']), ...changes.assets },
    }),
    ...(changes.assetAspects !== undefined && { assetAspects: shownAspects }),
    ...(changes.metadata !== undefined && {
      metadata: { ...(isMap(before['metadata']) && before['metadata']), ...changes.metadata },
    }),
  });
  if (edits.length > largestEdits)
    throw refusal(`The changes of an entity may have ${largestEdits} characters of JSON in all.`);
  return {
    name: name.trim(),
    sort_name: changes.name === undefined ? row.sort_name : sortTitle(name),
    search_terms: searchTerms === '' ? null : searchTerms,
    // What a person edited counts in every language.
    texts: columnWithout(row.texts, {
      title: changes.name !== undefined,
      overview: Object.hasOwn(changes.metadata ?? {}, 'overview'),
    }),
    hidden,
    assets: textOf(assets),
    asset_aspects: textOf(shownAspects),
    metadata: textOf(mergedMap(parseMap(row.metadata), changes.metadata)),
    edits,
  };
}

/** The additional key under which a renamed entity is found. */
export function keyOfName(row: Pick<EntityRow, 'key' | 'type'>, name: string): string {
  const [type = row.type, parent = ''] = row.key.split('\n');
  return `${type}\n${parent}\n${nameKey(type, name)}`;
}

function assertChanges(changes: EntityChanges): void {
  const { name, searchTerms, assets, assetAspects, metadata } = changes;
  if (metadata !== undefined) checkMetadata(metadata);
  if (name !== undefined && (name.trim() === '' || name.length > longestText))
    throw refusal(`name must have 1 to ${longestText} characters.`);
  if (searchTerms && searchTerms.length > longestText)
    throw refusal(`searchTerms may have ${longestText} characters.`);
  for (const [type, url] of entriesOf('assets', assets)) {
    if (url === null || (url.length <= longestUrl && pictureUrl.test(url))) continue;
    throw refusal(`assets.${type} must be an http(s) URL, a path /api/assets/…, or null.`);
  }
  for (const [type, aspect] of entriesOf('assetAspects', assetAspects))
    if (!aspects.includes(aspect))
      throw refusal(`assetAspects.${type} must be square, portrait, landscape or null.`);
}

function entriesOf(
  field: string,
  map: Readonly<Record<string, string | null>> = {},
): readonly (readonly [string, string | null])[] {
  const entries = Object.entries(map);
  if (entries.length > mostAssets) throw refusal(`${field} may have ${mostAssets} keys.`);
  const wrong = entries.find(([type]) => !assetType.test(type));
  if (wrong === undefined) return entries;
  throw refusal(
    `${field} has the key ${JSON.stringify(wrong[0].slice(0, 60))}; a type of picture is lower case letters, digits and -, such as poster.`,
  );
}

function mergedMap(
  before: Readonly<Record<string, unknown>>,
  changes: Readonly<Record<string, unknown>> = {},
): Record<string, unknown> {
  const merged = new Map(Object.entries(before));
  for (const [key, value] of Object.entries(changes)) {
    if (value === null) merged.delete(key);
    else merged.set(key, value);
  }
  return Object.fromEntries(merged);
}

const textOf = (map: Readonly<Record<string, unknown>>): string | null =>
  Object.keys(map).length === 0 ? null : JSON.stringify(map);

function refusal(what: string): AppError {
  return new AppError('invalid_request', { what });
}
