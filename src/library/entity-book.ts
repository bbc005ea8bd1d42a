/**
 * The entities that a page of items may mean, and which of them each mention means. It holds:
 *
 * - who has an id that the mention has is meant, whatever its name;
 * - else who has the name (and the parent), unless an id of the same provider, or of two shows the
 *   year, says that it is another one;
 * - a mention that means two of them makes them one, unless their own ids contradict;
 * - the first name stays; a complete mention's takes the place of one that only a file's name said.
 */
import { splitYear } from './entity-name.ts';
import type { Mention } from './entity-mention.ts';
import { chosenPictures, showPicture } from './entity-pictures.ts';
import type {
  EntityId,
  EntityIdRow,
  EntityNameRow,
  EntityPictureRow,
  EntityRow,
  EntityTraces,
} from './entity-store.ts';
import { isMap, parseList, parseMap } from './rows.ts';

/** An entity while mentions are resolved. */
export interface EntityEntry {
  readonly row: EntityRow;
  readonly ids: Map<string, Set<string>>;
  /** By type. */
  readonly pictures: Map<string, Omit<EntityPictureRow, 'entity_no'>>;
  readonly isNew: boolean;
  isChanged: boolean;
  /** Items must be indexed anew: what they are found by has changed. */
  isRenamed: boolean;
  mergedInto: EntityEntry | null;
}

/** What is to be written when all mentions are resolved. */
export interface EntityBook {
  readonly entries: () => readonly EntityEntry[];
  /** What is new beside the rows. */
  readonly newTraces: () => EntityTraces;
  /** The entity that the mention means, with what the mention says of it; made if there is none. */
  readonly settle: (mention: Mention, key: string, parentNo: number | null) => EntityEntry;
}

/** How many years two datings of one show may lie apart. */
const yearTolerance = 1;
const longestTerms = 1000;
const mostProvenance = 50;

export function createEntityBook(
  known: {
    readonly rows: readonly EntityRow[];
    readonly names: readonly EntityNameRow[];
    readonly ids: readonly EntityIdRow[];
    readonly pictures: readonly EntityPictureRow[];
  },
  make: {
    readonly now: number;
    readonly newRow: () => { no: number; id: string };
    readonly newId: () => string;
  },
): EntityBook {
  const byNo = new Map<number, EntityEntry>();
  const byKey = new Map<string, Set<EntityEntry>>();
  const byId = new Map<string, EntityEntry>();
  const newIds: (EntityId & { readonly entry: EntityEntry })[] = [];
  const newNames: { readonly key: string; readonly entry: EntityEntry }[] = [];
  const changedPictures = new Map<EntityEntry, Set<string>>();

  for (const row of known.rows) open({ ...row }, false);
  for (const { key, entity_no } of known.names) {
    const entry = byNo.get(entity_no);
    if (entry) lead(key, entry);
  }
  for (const { type, provider, value, entity_no } of known.ids) {
    const entry = byNo.get(entity_no);
    if (entry) hold(entry, type, { provider, value });
  }
  for (const { entity_no, ...picture } of known.pictures)
    byNo.get(entity_no)?.pictures.set(picture.type, picture);

  function open(row: EntityRow, isNew: boolean): EntityEntry {
    const ids = new Map<string, Set<string>>();
    const state = { isChanged: false, isRenamed: false, mergedInto: null };
    const entry: EntityEntry = { row, ids, pictures: new Map(), isNew, ...state };
    byNo.set(row.no, entry);
    lead(row.key, entry);
    return entry;
  }

  function lead(key: string, entry: EntityEntry): void {
    const entries = byKey.get(key);
    if (entries === undefined) byKey.set(key, new Set([entry]));
    else entries.add(entry);
  }

  function hold(entry: EntityEntry, type: string, { provider, value }: EntityId): void {
    byId.set(idKey(type, { provider, value }), entry);
    const values = entry.ids.get(provider);
    if (values === undefined) entry.ids.set(provider, new Set([value]));
    else values.add(value);
  }

  function find(mention: Mention, key: string): EntityEntry | undefined {
    const holders = new Set(
      mention.ids.flatMap((id) => byId.get(idKey(mention.type, id)) ?? []).map(living),
    );
    const named = [...new Set([...(byKey.get(key) ?? [])].map(living))].sort(byAge);
    const fitting = named.filter((entry) => !contradicts(entry, mention));
    if (holders.size === 0) return bestNamed(fitting, mention);
    const [first, ...others] = [...new Set([...holders, ...fitting])].sort(byMerit);
    if (first === undefined) return undefined;
    for (const other of others) if (!areApart(first, other)) merge(first, other);
    return first;
  }

  function create(mention: Mention, key: string, parentNo: number | null): EntityEntry {
    const { no, id } = make.newRow();
    const hasNamesake = (byKey.get(key)?.size ?? 0) > 0;
    const isTold = hasNamesake && mention.type === 'show' && mention.year !== null;
    const entry = open(
      {
        no,
        id,
        key: hasNamesake ? `${key}\n${no}` : key,
        type: mention.type,
        name: isTold ? `${mention.name} (${mention.year})` : mention.name,
        sort_name: mention.sortName,
        status: mention.status,
        source_plugin_id: mention.sourcePluginId,
        search_terms: null,
        metadata: mention.metadata === null ? null : JSON.stringify(mention.metadata),
        assets: null,
        asset_aspects: null,
        hidden: false,
        parent_no: parentNo,
        year: mention.year,
        edits: null,
        provenance: provenanceOf(mention),
        created_at: make.now,
        updated_at: make.now,
      },
      true,
    );
    if (hasNamesake) addName(entry, key);
    addIds(entry, mention);
    addPictures(entry, mention);
    return entry;
  }

  function addName(entry: EntityEntry, key: string): void {
    lead(key, entry);
    newNames.push({ key, entry });
  }

  /** A provider has one id for an entity: a second one is somebody's mistake. */
  function addIds(entry: EntityEntry, { type, ids }: Mention): boolean {
    const fresh = ids.filter(({ provider }) => !entry.ids.has(provider));
    for (const id of fresh) {
      hold(entry, type, id);
      newIds.push({ ...id, entry });
    }
    return fresh.length > 0;
  }

  /** The first of a type stays, until whoever named it names another. */
  function addPictures(entry: EntityEntry, { pictures, sourcePluginId }: Mention): boolean {
    const source = sourcePluginId ?? '';
    const fresh = pictures.filter(({ type, uri }) => {
      const there = entry.pictures.get(type);
      return there === undefined || (there.source === source && there.uri !== uri);
    });
    for (const picture of fresh) {
      const stored = { ...picture, id: make.newId(), source };
      entry.pictures.set(picture.type, stored);
      const types = changedPictures.get(entry) ?? new Set();
      changedPictures.set(entry, types.add(picture.type));
      showPicture(entry.row, stored);
    }
    return fresh.length > 0;
  }

  /** What the mention says beyond what is known. */
  function enrich(entry: EntityEntry, mention: Mention, key: string): void {
    const { row } = entry;
    const before = { name: row.name, terms: row.search_terms };
    const facts: string[] = [];
    if (addIds(entry, mention)) facts.push('ids');
    if (!byKey.get(key)?.has(entry)) {
      addName(entry, key);
      addAlias(row, mention.name);
    }
    if (isBetterName(row, mention)) {
      const former = row.name;
      row.name = keepsYear(row, mention) ? row.name : mention.name;
      row.sort_name = mention.sortName;
      if (row.name !== former) facts.push('name');
    }
    if (addMetadata(row, mention)) facts.push('metadata');
    if (addPictures(entry, mention)) facts.push('assets');
    const isCompleted = row.status === 'pending' && mention.status === 'complete';
    if (isCompleted) row.status = 'complete';
    const isDated = row.year === null && mention.year !== null;
    if (isDated) row.year = mention.year;
    entry.isRenamed ||= row.name !== before.name || row.search_terms !== before.terms;
    if (!entry.isRenamed && facts.length === 0 && !isCompleted && !isDated) return;
    addProvenance(row, mention, facts);
    row.updated_at = make.now;
    entry.isChanged = true;
  }

  function merge(to: EntityEntry, from: EntityEntry): void {
    from.mergedInto = to;
    mergeRows(to.row, from.row);
    for (const [provider, values] of from.ids)
      for (const value of values) hold(to, from.row.type, { provider, value });
    for (const [type, picture] of from.pictures)
      if (!to.pictures.has(type)) to.pictures.set(type, picture);
    to.row.updated_at = make.now;
    to.isChanged = true;
    to.isRenamed = true;
    if (!from.isNew) return;
    for (const entries of byKey.values()) if (entries.has(from)) entries.add(to);
  }

  return {
    entries: () => [...byNo.values()],
    newTraces: () => ({
      ids: newIds.map(({ entry, provider, value }) => {
        const { type, no } = living(entry).row;
        return { type, provider, value, entity_no: no };
      }),
      names: newNames.map(({ entry, key }) => ({ key, entity_no: living(entry).row.no })),
      pictures: [...changedPictures].flatMap(([entry, types]) =>
        [...types].flatMap((type) => {
          const { pictures, row } = living(entry);
          const picture = pictures.get(type);
          return picture === undefined ? [] : [{ ...picture, entity_no: row.no }];
        }),
      ),
    }),
    settle: (mention, key, parentNo) => {
      const found = find(mention, key);
      if (found === undefined) return create(mention, key, parentNo);
      enrich(found, mention, key);
      return found;
    },
  };
}

/** Takes into a row what another one knew that turned out to be the same. */
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
  to.asset_aspects = unitedMaps(to.asset_aspects, from.asset_aspects);
  if (from.status === 'complete') to.status = 'complete';
  to.year ??= from.year;
  const told = [...parseList(to.provenance), ...parseList(from.provenance)];
  if (told.length > 0) to.provenance = JSON.stringify(told.slice(0, mostProvenance));
}

/** The one that took its place, or itself. */
export function living(entry: EntityEntry): EntityEntry {
  return entry.mergedInto === null ? entry : living(entry.mergedInto);
}

const idKey = (type: string, { provider, value }: EntityId): string =>
  `${type}\n${provider}\n${value}`;

const byAge = (a: EntityEntry, b: EntityEntry): number => a.row.no - b.row.no;

/** The one to keep in front: what a person edited, then what is complete, then the older. */
function byMerit(a: EntityEntry, b: EntityEntry): number {
  const merit = ({ row, isNew }: EntityEntry): number =>
    (row.edits === null ? 0 : 4) + (isNew ? 0 : 2) + (row.status === 'complete' ? 1 : 0);
  return merit(b) - merit(a) || byAge(a, b);
}

/** Of several of one name: the one of that year; without ids to tell, one that has none either. */
function bestNamed(
  entries: readonly EntityEntry[],
  { year, ids }: Mention,
): EntityEntry | undefined {
  const dated = year === null ? undefined : entries.find(({ row }) => row.year === year);
  if (dated) return dated;
  const plain = ids.length === 0 ? entries.find((entry) => entry.ids.size === 0) : undefined;
  return plain ?? entries[0];
}

function contradicts(entry: EntityEntry, { ids, year }: Mention): boolean {
  const isOther = ids.some(({ provider, value }) => entry.ids.get(provider)?.has(value) === false);
  return isOther || areYearsApart(entry.row.year, year);
}

function areApart(a: EntityEntry, b: EntityEntry): boolean {
  const isOther = [...a.ids].some(([provider, values]) => {
    const others = b.ids.get(provider);
    return others !== undefined && ![...values].some((value) => others.has(value));
  });
  return isOther || areYearsApart(a.row.year, b.row.year);
}

const areYearsApart = (a: number | null, b: number | null): boolean =>
  a !== null && b !== null && Math.abs(a - b) > yearTolerance;

/** `Show (2003)` for one of two shows of a name: no mention takes the year away. */
const keepsYear = (row: EntityRow, { name }: Mention): boolean =>
  row.type === 'show' && splitYear(row.name)?.name === name;

function isBetterName(row: EntityRow, mention: Mention): boolean {
  const isLocked = Object.hasOwn(parseMap(row.edits), 'name');
  return !isLocked && row.status === 'pending' && mention.status === 'complete';
}

/** Aliases stand in the search terms, unless a person wrote those. */
function addAlias(row: EntityRow, alias: string): void {
  if (Object.hasOwn(parseMap(row.edits), 'searchTerms')) return;
  const terms = row.search_terms === null ? [] : row.search_terms.split('; ');
  const fresh = alias.split('; ').filter((one) => one !== row.name && !terms.includes(one));
  const text = [...terms, ...fresh].join('; ');
  if (fresh.length > 0 && text.length <= longestTerms) row.search_terms = text;
}

/** Keys that are not there yet; a complete mention also corrects what is there from a file's name. */
function addMetadata(row: EntityRow, { metadata, status }: Mention): boolean {
  if (metadata === null) return false;
  const before = parseMap(row.metadata);
  const isBetter = row.status === 'pending' && status === 'complete';
  const locked = parseMap(row.edits)['metadata'];
  const fresh = Object.entries(metadata).filter(
    ([key]) =>
      (isBetter || !Object.hasOwn(before, key)) && !(isMap(locked) && Object.hasOwn(locked, key)),
  );
  const text = JSON.stringify({ ...before, ...Object.fromEntries(fresh) });
  if (text === JSON.stringify(before)) return false;
  row.metadata = text;
  return true;
}

function unitedMaps(to: string | null, from: string | null): string | null {
  return from === null ? to : JSON.stringify({ ...parseMap(from), ...parseMap(to) });
}

type Fields = Readonly<Record<string, unknown>>;

/** Of a map within the edits each key counts for itself. */
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

function provenanceOf({ sourcePluginId: pluginId, ids, metadata }: Mention): string | null {
  if (pluginId === null) return null;
  const paths = ['name', ...(ids.length > 0 ? ['ids'] : []), ...(metadata ? ['metadata'] : [])];
  return JSON.stringify(paths.map((path) => ({ pluginId, path })));
}

function addProvenance(
  row: EntityRow,
  { sourcePluginId: pluginId }: Mention,
  paths: readonly string[],
): void {
  if (pluginId === null || paths.length === 0) return;
  const told = parseList(row.provenance);
  const fresh = paths.filter(
    (path) =>
      !told.some((one) => isMap(one) && one['pluginId'] === pluginId && one['path'] === path),
  );
  const all = [...told, ...fresh.map((path) => ({ pluginId, path }))];
  row.provenance = JSON.stringify(all.slice(0, mostProvenance));
}
