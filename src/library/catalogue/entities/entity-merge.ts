/** Merges the rows of two entities. */
import { addAlias, mostProvenance } from './entity-facts.ts';
import { chosenPictures } from './entity-pictures.ts';
import { isEdited } from './entity-lock.ts';
import type { EntityRow } from '../tables/entity-store.ts';
import { columnWithout } from '../texts/entity-texts.ts';
import { isMap, parseList, parseMap } from '../tables/rows.ts';

/** Adds to a row what the row of the merged entity knew. */
export function mergeRows(to: EntityRow, from: EntityRow): void {
  const [own, other] = [parseMap(to.edits), parseMap(from.edits)];
  const isTaken = (key: string): boolean => Object.hasOwn(other, key) && !Object.hasOwn(own, key);
  const { name } = to;
  if (isTaken('name')) Object.assign(to, { name: from.name, sort_name: from.sort_name });
  if (isTaken('hidden')) to.hidden = from.hidden;
  if (isTaken('searchTerms')) to.search_terms = from.search_terms;
  const chosen = { ...chosenPictures(from), ...chosenPictures(to) };
  to.assets = withChosen(unitedMaps(to.assets, from.assets), chosen);
  if (from.edits !== null) to.edits = JSON.stringify(unitedEdits(own, other));
  for (const alias of [name, from.name, from.search_terms]) if (alias !== null) addAlias(to, alias);
  to.metadata = unitedMaps(to.metadata, from.metadata);
  to.texts ??= columnWithout(from.texts, {
    title: Object.hasOwn(parseMap(to.edits), 'name'),
    overview: isEdited(to.edits, 'overview'),
  });
  to.asset_aspects = unitedMaps(to.asset_aspects, from.asset_aspects);
  if (from.status === 'complete') to.status = 'complete';
  to.year ??= from.year;
  const provenance = [...parseList(to.provenance), ...parseList(from.provenance)];
  if (provenance.length > 0) to.provenance = JSON.stringify(provenance.slice(0, mostProvenance));
}

function unitedMaps(to: string | null, from: string | null): string | null {
  return from === null ? to : JSON.stringify({ ...parseMap(from), ...parseMap(to) });
}

type Fields = Readonly<Record<string, unknown>>;

/** Merges nested edits key by key. */
function unitedEdits(own: Fields, other: Fields): Fields {
  const maps = ['assets', 'metadata'].flatMap((key) => {
    const [mine, theirs] = [own[key], other[key]];
    return isMap(mine) && isMap(theirs) ? [[key, { ...theirs, ...mine }] as const] : [];
  });
  return { ...other, ...own, ...Object.fromEntries(maps) };
}

function withChosen(assets: string | null, chosen: Fields): string | null {
  const shown = new Map(Object.entries(parseMap(assets)));
  for (const [type, url] of Object.entries(chosen)) {
    if (url === null) shown.delete(type);
    else shown.set(type, url);
  }
  return shown.size === 0 ? null : JSON.stringify(Object.fromEntries(shown));
}
