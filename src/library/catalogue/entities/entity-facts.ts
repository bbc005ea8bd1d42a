/** Adds the data of a mention to an entity. */
import { covers, isEdited, isLockKey, ownMetadata, type EntityLocks } from './entity-lock.ts';
import type { Mention } from './entity-mention.ts';
import { splitYear } from './entity-name.ts';
import type { EntityRow } from '../tables/entity-store.ts';
import { isMap, parseList, parseMap } from '../tables/rows.ts';
import { unitedTexts, withoutTexts, type TextsByLanguage } from '../texts/item-texts.ts';

const longestTerms = 1000;
/** Up to this many facts are kept with the plugin that gave them. */
export const mostProvenance = 50;

/** `Show (2003)` for one of two shows of a name: no mention removes the year. */
const keepsYear = (row: EntityRow, { name }: Mention): boolean =>
  row.type === 'show' && splitYear(row.name)?.name === name;

function isBetterName(row: EntityRow, mention: Mention, { foreign, own }: EntityLocks): boolean {
  if (Object.hasOwn(parseMap(row.edits), 'name') || covers(foreign, 'title')) return false;
  return covers(own, 'title') || (row.status === 'pending' && mention.status === 'complete');
}

/** Replaces the name by a better one; returns whether it changed. */
export function addBetterName(row: EntityRow, mention: Mention, locks: EntityLocks): boolean {
  if (!isBetterName(row, mention, locks)) return false;
  const former = row.name;
  row.name = keepsYear(row, mention) ? row.name : mention.name;
  row.sort_name = mention.sortName;
  return row.name !== former;
}

/** Aliases are added to the search terms, unless a person edited those. */
export function addAlias(row: EntityRow, alias: string): void {
  if (Object.hasOwn(parseMap(row.edits), 'searchTerms')) return;
  const terms = row.search_terms === null ? [] : row.search_terms.split('; ');
  const fresh = alias.split('; ').filter((one) => one !== row.name && !terms.includes(one));
  const text = [...terms, ...fresh].join('; ');
  if (fresh.length > 0 && text.length <= longestTerms) row.search_terms = text;
}

/**
 * Adds missing keys. A complete mention also replaces what came from a file name. Keys that a
 * mention locks come from that mention alone, and no other plugin changes them.
 */
export function addMetadata(row: EntityRow, mention: Mention, locks: EntityLocks): boolean {
  const said = ownMetadata(mention);
  if (said === null && !locks.isReleased) return false;
  const { foreign, own, isReleased } = locks;
  const before = parseMap(row.metadata);
  const isBetter = row.status === 'pending' && mention.status === 'complete';
  const isOut = (key: string): boolean =>
    covers(own, key) || (isReleased && isLockKey(key) && foreign === null);
  const isTaken = (key: string): boolean => {
    if (foreign !== null && (covers(foreign, key) || isLockKey(key))) return false;
    return isBetter || isOut(key) || !Object.hasOwn(before, key);
  };
  const edited = (key: string): boolean => isEdited(row.edits, key);
  const text = JSON.stringify({
    ...Object.fromEntries(Object.entries(before).filter(([key]) => edited(key) || !isOut(key))),
    ...Object.fromEntries(
      Object.entries(said ?? {}).filter(([key]) => !edited(key) && isTaken(key)),
    ),
  });
  if (text === JSON.stringify(before)) return false;
  row.metadata = text;
  return true;
}

/**
 * Adds texts in further languages, and the names among them to the words by which it is found; returns
 * whether some were new. What is edited or locked stays in every language.
 */
export function addTexts(row: EntityRow, { texts }: Mention, { foreign }: EntityLocks): boolean {
  if (texts === null) return false;
  const given = withoutTexts(texts, {
    title: Object.hasOwn(parseMap(row.edits), 'name') || covers(foreign, 'title'),
    overview: isEdited(row.edits, 'overview') || covers(foreign, 'overview'),
  });
  const before = row.texts === null ? {} : (parseMap(row.texts) as TextsByLanguage);
  // What is known comes first, so that the same texts are the same text.
  const text = JSON.stringify(unitedTexts(before, unitedTexts(given, before)));
  if (text === JSON.stringify(before)) return false;
  row.texts = text;
  for (const { title } of Object.values(given)) if (title !== undefined) addAlias(row, title);
  return true;
}

export function provenanceOf({ sourcePluginId: pluginId, ids, metadata }: Mention): string | null {
  if (pluginId === null) return null;
  const paths = ['name', ...(ids.length > 0 ? ['ids'] : []), ...(metadata ? ['metadata'] : [])];
  return JSON.stringify(paths.map((path) => ({ pluginId, path })));
}

/** Adds provenance. A mention that locks everything replaces the provenance of all others. */
export function addProvenance(
  row: EntityRow,
  { sourcePluginId: pluginId }: Mention,
  {
    paths,
    replacesOthers,
  }: { readonly paths: readonly string[]; readonly replacesOthers: boolean },
): void {
  if (pluginId === null || paths.length === 0) return;
  const earlier = parseList(row.provenance).filter(
    (one) =>
      !replacesOthers || (isMap(one) && (one['pluginId'] === pluginId || one['path'] === 'ids')),
  );
  const fresh = paths.filter(
    (path) =>
      !earlier.some((one) => isMap(one) && one['pluginId'] === pluginId && one['path'] === path),
  );
  const all = [...earlier, ...fresh.map((path) => ({ pluginId, path }))];
  row.provenance = JSON.stringify(all.slice(0, mostProvenance));
}
