/**
 * Resolves each mention on a page of items to an entity. The rules:
 *
 * - an entity that shares an id with the mention matches, even if its name differs;
 * - else an entity with the same name (and parent) matches, unless an id of the same provider, or
 *   the year of a show, contradicts;
 * - a mention that matches two entities merges them, unless their own ids contradict;
 * - the first name stays, except that the name of a complete mention replaces one from a file name.
 */
import type { EntityEntry } from './entity-entry.ts';
import {
  addAlias,
  addBetterName,
  addMetadata,
  addProvenance,
  addTexts,
  provenanceOf,
} from './entity-facts.ts';
import { covers, locksOf, lockText, ownMetadata, type EntityLocks } from './entity-lock.ts';
import { areApart, bestNamed, byAge, byMerit, contradicts } from './entity-match.ts';
import type { Mention } from './entity-mention.ts';
import { mergeRows } from './entity-merge.ts';
import { showPicture } from './entity-pictures.ts';
import type {
  EntityId,
  EntityIdRow,
  EntityNameRow,
  EntityPictureRow,
  EntityRow,
  EntityTraces,
} from '../tables/entity-store.ts';

const noLocks: EntityLocks = { foreign: null, own: null, isReleased: false };

/** The changes to write once all mentions are resolved. */
export class EntityResolver {
  readonly #make: {
    readonly now: number;
    readonly newRow: () => { no: number; id: string };
    readonly newId: () => string;
  };
  readonly #byNo = new Map<number, EntityEntry>();
  readonly #byKey = new Map<string, Set<EntityEntry>>();
  readonly #byId = new Map<string, EntityEntry>();
  readonly #newIds: (EntityId & { readonly entry: EntityEntry })[] = [];
  readonly #newNames: { readonly key: string; readonly entry: EntityEntry }[] = [];
  readonly #changedPictures = new Map<EntityEntry, Set<string>>();

  constructor(
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
  ) {
    this.#make = make;
    for (const row of known.rows) this.#open({ ...row }, false);
    for (const { key, entity_no } of known.names) {
      const entry = this.#byNo.get(entity_no);
      if (entry) this.#lead(key, entry);
    }
    for (const { type, provider, value, entity_no } of known.ids) {
      const entry = this.#byNo.get(entity_no);
      if (entry) this.#hold(entry, type, { provider, value });
    }
    for (const { entity_no, ...picture } of known.pictures)
      this.#byNo.get(entity_no)?.pictures.set(picture.type, picture);
  }

  #open(row: EntityRow, isNew: boolean): EntityEntry {
    const ids = new Map<string, Set<string>>();
    const state = { isChanged: false, isRenamed: false, hasNewLock: false, mergedInto: null };
    const entry: EntityEntry = { row, ids, pictures: new Map(), isNew, ...state };
    this.#byNo.set(row.no, entry);
    this.#lead(row.key, entry);
    return entry;
  }

  #lead(key: string, entry: EntityEntry): void {
    const entries = this.#byKey.get(key);
    if (entries === undefined) this.#byKey.set(key, new Set([entry]));
    else entries.add(entry);
  }

  #hold(entry: EntityEntry, type: string, { provider, value }: EntityId): void {
    this.#byId.set(idKey(type, { provider, value }), entry);
    const values = entry.ids.get(provider);
    if (values === undefined) entry.ids.set(provider, new Set([value]));
    else values.add(value);
  }

  #find(mention: Mention, key: string): EntityEntry | undefined {
    const holders = new Set(
      mention.ids.flatMap((id) => this.#byId.get(idKey(mention.type, id)) ?? []).map(survivorOf),
    );
    const named = [...new Set([...(this.#byKey.get(key) ?? [])].map(survivorOf))].sort(byAge);
    const fitting = named.filter((entry) => !contradicts(entry, mention));
    if (holders.size === 0) return bestNamed(fitting, mention);
    const [first, ...others] = [...new Set([...holders, ...fitting])].sort(byMerit);
    if (first === undefined) return undefined;
    for (const other of others) if (!areApart(first, other)) this.#merge(first, other);
    return first;
  }

  #create(mention: Mention, key: string, parentNo: number | null): EntityEntry {
    const { no, id } = this.#make.newRow();
    const metadata = ownMetadata(mention);
    const hasNamesake = (this.#byKey.get(key)?.size ?? 0) > 0;
    const isDistinguished = hasNamesake && mention.type === 'show' && mention.year !== null;
    const entry = this.#open(
      {
        no,
        id,
        key: hasNamesake ? `${key}\n${no}` : key,
        type: mention.type,
        name: isDistinguished ? `${mention.name} (${mention.year})` : mention.name,
        sort_name: mention.sortName,
        status: mention.status,
        source_plugin_id: mention.sourcePluginId,
        search_terms: null,
        texts: null,
        shown_by: null,
        metadata: metadata === null ? null : JSON.stringify(metadata),
        assets: null,
        asset_aspects: null,
        hidden: false,
        parent_no: parentNo,
        year: mention.year,
        edits: null,
        provenance: provenanceOf(mention),
        created_at: this.#make.now,
        updated_at: this.#make.now,
      },
      true,
    );
    if (hasNamesake) this.#addName(entry, key);
    addTexts(entry.row, mention, noLocks);
    this.#addIds(entry, mention);
    this.#addPictures(entry, mention, noLocks);
    return entry;
  }

  #addName(entry: EntityEntry, key: string): void {
    this.#lead(key, entry);
    this.#newNames.push({ key, entry });
  }

  /** A provider has one id for an entity: a second one is a mistake and is dropped. */
  #addIds(entry: EntityEntry, { type, ids }: Mention): boolean {
    const fresh = ids.filter(({ provider }) => !entry.ids.has(provider));
    for (const id of fresh) {
      this.#hold(entry, type, id);
      this.#newIds.push({ ...id, entry });
    }
    return fresh.length > 0;
  }

  /** The first picture of a type stays until the same plugin names another one or locks it. */
  #addPictures(
    entry: EntityEntry,
    { pictures, sourcePluginId }: Mention,
    { foreign, own }: EntityLocks,
  ): boolean {
    const source = sourcePluginId ?? '';
    const fresh = pictures.filter(({ type, uri }) => {
      const there = entry.pictures.get(type);
      if (covers(foreign, 'assets')) return false;
      if (there === undefined) return true;
      return there.uri !== uri && (there.source === source || covers(own, 'assets'));
    });
    for (const picture of fresh) {
      const stored = { ...picture, id: this.#make.newId(), source };
      entry.pictures.set(picture.type, stored);
      const types = this.#changedPictures.get(entry) ?? new Set();
      this.#changedPictures.set(entry, types.add(picture.type));
      showPicture(entry.row, stored);
    }
    return fresh.length > 0;
  }

  /** Adds what the mention knows and the entity does not. */
  #enrich(entry: EntityEntry, mention: Mention, key: string): void {
    const { row } = entry;
    const before = { name: row.name, terms: row.search_terms, lock: lockText(row.metadata) };
    const locks = locksOf(row.metadata, mention);
    const facts: string[] = [];
    if (this.#addIds(entry, mention)) facts.push('ids');
    if (!this.#byKey.get(key)?.has(entry)) {
      this.#addName(entry, key);
      addAlias(row, mention.name);
    }
    if (addBetterName(row, mention, locks)) facts.push('name');
    if (addMetadata(row, mention, locks)) facts.push('metadata');
    if (this.#addPictures(entry, mention, locks)) facts.push('assets');
    if (addTexts(row, mention, locks)) facts.push('texts');
    entry.hasNewLock ||= lockText(row.metadata) !== before.lock;
    const isCompleted = row.status === 'pending' && mention.status === 'complete';
    if (isCompleted) row.status = 'complete';
    const isDated = row.year === null && mention.year !== null;
    if (isDated) row.year = mention.year;
    entry.isRenamed ||= row.name !== before.name || row.search_terms !== before.terms;
    if (!entry.isRenamed && facts.length === 0 && !isCompleted && !isDated) return;
    addProvenance(row, mention, { paths: facts, replacesOthers: locks.own?.paths === null });
    row.updated_at = this.#make.now;
    entry.isChanged = true;
  }

  #merge(to: EntityEntry, from: EntityEntry): void {
    from.mergedInto = to;
    mergeRows(to.row, from.row);
    for (const [provider, values] of from.ids)
      for (const value of values) this.#hold(to, from.row.type, { provider, value });
    for (const [type, picture] of from.pictures)
      if (!to.pictures.has(type)) to.pictures.set(type, picture);
    to.row.updated_at = this.#make.now;
    to.isChanged = true;
    to.isRenamed = true;
    if (!from.isNew) return;
    for (const entries of this.#byKey.values()) if (entries.has(from)) entries.add(to);
  }

  readonly entries = (): readonly EntityEntry[] => [...this.#byNo.values()];

  /** New ids, names and pictures. */
  readonly newTraces = (): EntityTraces => ({
    ids: this.#newIds.map(({ entry, provider, value }) => {
      const { type, no } = survivorOf(entry).row;
      return { type, provider, value, entity_no: no };
    }),
    names: this.#newNames.map(({ entry, key }) => ({ key, entity_no: survivorOf(entry).row.no })),
    pictures: [...this.#changedPictures].flatMap(([entry, types]) =>
      [...types].flatMap((type) => {
        const { pictures, row } = survivorOf(entry);
        const picture = pictures.get(type);
        return picture === undefined ? [] : [{ ...picture, entity_no: row.no }];
      }),
    ),
  });

  /** The entity of the mention, with the mention's data added; made if there is none. */
  readonly resolve = (mention: Mention, key: string, parentNo: number | null): EntityEntry => {
    const found = this.#find(mention, key);
    if (found === undefined) return this.#create(mention, key, parentNo);
    this.#enrich(found, mention, key);
    return found;
  };
}

export const createEntityResolver = (
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
): EntityResolver => new EntityResolver(known, make);

/** The entity into which this one was merged, or itself. */
export function survivorOf(entry: EntityEntry): EntityEntry {
  return entry.mergedInto === null ? entry : survivorOf(entry.mergedInto);
}

const idKey = (type: string, { provider, value }: EntityId): string =>
  `${type}\n${provider}\n${value}`;
