/** What a mention says of an entity beyond what is known of it. */
import { covers, isEdited, isLockKey, ownMetadata, type EntityLocks } from './entity-lock.ts';
import type { Mention } from './entity-mention.ts';
import { splitYear } from './entity-name.ts';
import type { EntityRow } from './entity-store.ts';
import { isMap, parseList, parseMap } from './rows.ts';

const longestTerms = 1000;
/** Of so many facts it is kept who told them. */
export const mostProvenance = 50;

/** `Show (2003)` for one of two shows of a name: no mention takes the year away. */
const keepsYear = (row: EntityRow, { name }: Mention): boolean =>
  row.type === 'show' && splitYear(row.name)?.name === name;

function isBetterName(row: EntityRow, mention: Mention, { foreign, own }: EntityLocks): boolean {
  if (Object.hasOwn(parseMap(row.edits), 'name') || covers(foreign, 'title')) return false;
  return covers(own, 'title') || (row.status === 'pending' && mention.status === 'complete');
}

/** A better name takes the place of the one that is there; whether it is another one. */
export function addBetterName(row: EntityRow, mention: Mention, locks: EntityLocks): boolean {
  if (!isBetterName(row, mention, locks)) return false;
  const former = row.name;
  row.name = keepsYear(row, mention) ? row.name : mention.name;
  row.sort_name = mention.sortName;
  return row.name !== former;
}

/** Aliases stand in the search terms, unless a person wrote those. */
export function addAlias(row: EntityRow, alias: string): void {
  if (Object.hasOwn(parseMap(row.edits), 'searchTerms')) return;
  const terms = row.search_terms === null ? [] : row.search_terms.split('; ');
  const fresh = alias.split('; ').filter((one) => one !== row.name && !terms.includes(one));
  const text = [...terms, ...fresh].join('; ');
  if (fresh.length > 0 && text.length <= longestTerms) row.search_terms = text;
}

/**
 * Keys that are not there yet; a complete mention also corrects what is there from a file's name. A mention
 * that locks keys has the only word on them, and nobody else has one on those that are locked.
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

/** Who told what of a new entity. */
export function provenanceOf({ sourcePluginId: pluginId, ids, metadata }: Mention): string | null {
  if (pluginId === null) return null;
  const paths = ['name', ...(ids.length > 0 ? ['ids'] : []), ...(metadata ? ['metadata'] : [])];
  return JSON.stringify(paths.map((path) => ({ pluginId, path })));
}

/** Adds who told these facts; of what a mention locked as a whole nobody else told anything that is left. */
export function addProvenance(
  row: EntityRow,
  { sourcePluginId: pluginId }: Mention,
  { paths, isAlone }: { readonly paths: readonly string[]; readonly isAlone: boolean },
): void {
  if (pluginId === null || paths.length === 0) return;
  const told = parseList(row.provenance).filter(
    (one) => !isAlone || (isMap(one) && (one['pluginId'] === pluginId || one['path'] === 'ids')),
  );
  const fresh = paths.filter(
    (path) =>
      !told.some((one) => isMap(one) && one['pluginId'] === pluginId && one['path'] === path),
  );
  const all = [...told, ...fresh.map((path) => ({ pluginId, path }))];
  row.provenance = JSON.stringify(all.slice(0, mostProvenance));
}
