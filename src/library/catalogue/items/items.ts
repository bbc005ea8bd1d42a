import type { NewId } from '../../../platform/uuid-v7.ts';
import type { Database, Transaction } from '../../../../kernel/store/index.ts';
import type { Viewer } from '../../../people/viewer/index.ts';
import type { AuditReport, RecordAudit } from '../../../platform/audit/index.ts';
import { AppError } from '../../../platform/errors.ts';
import type { CheckReference } from '../../../files/references/index.ts';
import { libraryShowing, type Access, type Scope, type ScopedLibrary } from '../access/index.ts';
import { namedResolution } from '../tables/item-facts.ts';
import { takeNumbers } from '../tables/counter-store.ts';
import { touchLinked } from '../tables/entity-link-store.ts';
import { linkEditedGenres } from '../entities/edited-genres.ts';
import type { EntityProfile } from '../entities/entity-profile.ts';
import type { EntityRegistry } from '../entities/entity-registry.ts';
import { checkMetadata } from '../entities/known-metadata.ts';
import { createEntityContents, type EntityContents } from './entity-contents.ts';
import { findSimilar } from './similar-items.ts';
import { createNewest, type Newest } from './newest.ts';
import { assemble, readItems, type TrackReader } from './hydrate.ts';
import { createItemLists, type ItemLists } from './item-lists.ts';
import type { ItemQuery } from './item-query.ts';
import type { FindCollectionItems, ProfileItems } from './profile-items.ts';
import {
  buryItems,
  deleteItemRows,
  findItem,
  forgetFiles,
  saveItemRows,
  type ItemRow,
} from '../tables/item-store.ts';
import { readAssetsOf } from './asset-store.ts';
import {
  addUpload,
  deleteUpload,
  readUploads,
  type NewPicture,
} from '../tables/uploaded-picture-store.ts';
import { columnsOf, parseEdits, pictureColumns, type ItemEdits } from './item-values.ts';
import { toItemDetail, toItemIngest, type ItemDetail, type OfferedPicture } from './item.ts';
import { readPartsOf, type ItemReader } from './item-parts-store.ts';
import { shownSubtitles } from './item-subtitles.ts';
import type { TrackRules } from './text-track.ts';
import type { SelectItemPlayback } from './item-playback.ts';
import { readShownTexts } from '../texts/shown-texts.ts';
import { readTiles } from './tile-store.ts';
import type { EmitLibraryEvent } from '../tables/library-events.ts';
import { countItems } from '../tables/library-store.ts';
import { stillSource, uploadedSource } from '../tables/extras-store.ts';
import { dropTexts } from '../texts/item-text-store.ts';
import { parseMap } from '../tables/rows.ts';
import type { Chapter, Item, Tile } from '../../../contract/resources/library/catalogue.ts';
import type { ItemChanges } from '../../../contract/resources/library/items.ts';

export interface ItemsPage {
  readonly items: readonly Item[];
  readonly nextCursor: string | null;
  /** How many items the whole list has; only when it was asked for. */
  readonly total?: number;
}

export interface TilesPage {
  readonly items: readonly Tile[];
  readonly nextCursor: string | null;
  readonly total?: number;
}

/** The items of the libraries. Lists hold active items; missing ones only `get` shows. */
export interface Items extends EntityContents, Newest {
  readonly list: (viewer: Viewer, query: ItemQuery) => Promise<ItemsPage>;
  /** The same list as tiles. */
  readonly tiles: (viewer: Viewer, query: ItemQuery) => Promise<TilesPage>;
  /** The letters of the list by title with these filters, in its order. */
  readonly letters: ItemLists['letters'];
  /** The months of the list by `releasedAt` with these filters, in its order. */
  readonly months: ItemLists['months'];
  /** The languages of the sound of all items or of a library, for the filter `language`. */
  readonly languages: ItemLists['languages'];
  readonly get: (id: string, viewer: Viewer) => Promise<ItemDetail>;
  /** In the order of the ids; items that are missing or not visible are left out. */
  readonly getMany: (ids: readonly string[], viewer: Viewer) => Promise<readonly Item[]>;
  /** The same as tiles. */
  readonly getTiles: (ids: readonly string[], viewer: Viewer) => Promise<readonly Tile[]>;
  /** At most 30 titles like one, the most similar first, as tiles. */
  readonly similar: (id: string, viewer: Viewer) => Promise<readonly Tile[]>;
  readonly chapters: (id: string, viewer: Viewer) => Promise<readonly Chapter[]>;
  /** All pictures that the item can show, also those that it does not show now. */
  readonly pictures: (id: string, viewer: Viewer) => Promise<readonly OfferedPicture[]>;
  /**
   * Adds an uploaded picture, and shows it as its type: scans keep that. Gives the id of the picture.
   */
  readonly addPicture: (id: string, picture: NewPicture, viewer: Viewer) => Promise<string>;
  /** Deletes an uploaded picture; one that is shown gives its place to another one. */
  readonly removePicture: (id: string, pictureId: string, viewer: Viewer) => Promise<void>;
  /** Every scan keeps edits. */
  readonly update: (id: string, changes: ItemChanges, viewer: Viewer) => Promise<ItemDetail>;
  /** Removes an item until one of its files changes. The files on the disk stay. */
  readonly remove: (id: string, viewer: Viewer) => Promise<void>;
}

export interface ItemsParts {
  readonly database: Database;
  readonly access: Pick<Access, 'scopeOf'>;
  readonly checkReference: CheckReference;
  readonly mayWrite: TrackRules['mayWrite'];
  readonly selectPlayback: SelectItemPlayback;
  readonly entityProfile: EntityProfile;
  readonly registry: Pick<EntityRegistry, 'resolve'>;
  readonly profileItems: ProfileItems;
  readonly findCollectionItems: FindCollectionItems;
  readonly emit: EmitLibraryEvent;
  readonly audit: RecordAudit;
  readonly newId: NewId;
  readonly now: () => number;
}

const mostUploads = 20;
const mostSimilar = 30;
const longestTitle = 1000;
const largestEdits = 65_536;

export function createItems(parts: ItemsParts): Items {
  const { database, access, selectPlayback, emit, audit, now } = parts;
  const tracks = { check: parts.checkReference, mayWrite: parts.mayWrite };
  const db = database.read;
  const lists = createItemLists({ ...parts, db });

  const readerFor = ({ profileId }: Viewer, scope: Scope): ItemReader & TrackReader => ({
    scope,
    profileId,
    selectPlayback,
    tracks,
  });

  const entryOf = (
    actor: Viewer,
    act: string,
    { id, title }: ItemRow,
    { change: changed, details = {} }: Pick<AuditReport, 'change' | 'details'>,
  ): AuditReport => ({
    actor,
    action: `item.${act}`,
    change: changed,
    target: { type: 'item', id },
    details: { title, ...details },
  });

  async function find(
    id: string,
    viewer: Viewer,
  ): Promise<{
    readonly row: ItemRow;
    readonly library: ScopedLibrary;
    readonly scope: Scope;
  }> {
    const row = await findItem(db, id);
    const scope = await access.scopeOf(viewer);
    const library = row && libraryShowing(scope, row);
    if (row && library) return { row, library, scope };
    throw notFound(id);
  }

  async function get(id: string, viewer: Viewer): Promise<ItemDetail> {
    const { row, library, scope } = await find(id, viewer);
    const reader = readerFor(viewer, scope);
    const found = await readPartsOf(db, row.id, reader);
    const texts = await readShownTexts(db, [row], scope);
    const [item] = assemble([row], { ...found.parts, texts }, reader);
    if (item === undefined) throw notFound(id);
    const { showsPaths } = scope;
    const { files } = found.parts;
    const context = { ...tracks, roots: library.roots, files, showsPaths };
    return toItemDetail(item, row, {
      ingest: toItemIngest(found.ingest, scope),
      subtitles: shownSubtitles(row.attachments, context),
      showsProvenance: viewer.role === 'admin',
    });
  }

  return {
    ...createEntityContents(parts),
    list: async (viewer, query) => {
      const { scope, ids, ...page } = await lists.page(viewer, query);
      return { items: await readItems(db, ids, readerFor(viewer, scope)), ...page };
    },
    tiles: async (viewer, query) => {
      const { scope, ids, ...page } = await lists.page(viewer, query);
      return { items: await readTiles(db, ids, readerFor(viewer, scope)), ...page };
    },
    letters: lists.letters,
    months: lists.months,
    languages: lists.languages,
    get,
    getMany: async (ids, viewer) => {
      const scope = await access.scopeOf(viewer);
      return readItems(db, ids, readerFor(viewer, scope));
    },
    getTiles: async (ids, viewer) => {
      const scope = await access.scopeOf(viewer);
      return readTiles(db, ids, readerFor(viewer, scope));
    },
    similar: async (id, viewer) => {
      const { row, library, scope } = await find(id, viewer);
      const item = { no: row.no, year: row.year, libraryType: library.type };
      const ids = await findSimilar(db, item, { scope, most: mostSimilar });
      return readTiles(db, ids, readerFor(viewer, scope));
    },
    ...createNewest(parts),
    chapters: async (id, viewer) => (await get(id, viewer)).files.flatMap((file) => file.chapters),
    pictures: async (id, viewer) => {
      const { row } = await find(id, viewer);
      return (await readAssetsOf(db, row.no)).map(({ id: pictureId, type, aspect, source }) => {
        const isUploaded = source === uploadedSource;
        const isOwn = isUploaded || source === stillSource || source === 'manual';
        return { id: pictureId, type, aspect, pluginId: isOwn ? null : source, isUploaded };
      });
    },
    addPicture: async (id, { type, mimeType, bytes, uri }, viewer) => {
      const pictureId = parts.newId();
      await change(id, viewer, async (trx, row) => {
        if ((await readUploads(trx, row.no)).length >= mostUploads)
          throw refusal(`An item has at most ${mostUploads} uploaded pictures: remove one first.`);
        const own = { id: pictureId, item_no: row.no, type, uri, mime_type: mimeType };
        await addUpload(trx, { ...own, aspect: null }, bytes);
        return { changes: { assets: { [type]: pictureId } }, action: 'picture_uploaded' };
      });
      return pictureId;
    },
    removePicture: async (id, pictureId, viewer) => {
      await change(id, viewer, async (trx, row) => {
        const upload = (await readUploads(trx, row.no)).find((one) => one.id === pictureId);
        if (upload === undefined)
          throw new AppError('not_found', { what: `Uploaded picture ${pictureId}` });
        await deleteUpload(trx, pictureId);
        const { assets = {} } = parseEdits(row.edits);
        const chosen = Object.entries(assets).filter(([, one]) => one === pictureId);
        const unlock = chosen.map(([type]) => `assets.${type}`);
        return { changes: { unlock }, action: 'picture_removed' };
      });
    },
    update: async (id, changes, viewer) => {
      await change(id, viewer, async () => ({ changes, action: 'edited' }));
      return get(id, viewer);
    },
    remove: async (id, viewer) => {
      const { library } = await find(id, viewer);
      const row = await database.write(async (trx) => {
        const forgotten = await forget(trx, id);
        if (forgotten) await audit(trx, entryOf(viewer, 'removed', forgotten, { change: 'event' }));
        return forgotten;
      });
      if (row?.status !== 'active') return;
      const { title } = row;
      emit('library.item.removed', { itemId: id, libraryId: library.id, title });
    },
  };

  /** Changes an item, and what belongs to it, in one transaction. */
  async function change(
    id: string,
    viewer: Viewer,
    prepare: (
      trx: Transaction,
      row: ItemRow,
    ) => Promise<{ readonly changes: ItemChanges; readonly action: string }>,
  ): Promise<void> {
    const { library } = await find(id, viewer);
    const row = await database.write(async (trx) => {
      const current = await findItem(trx, id);
      if (current === undefined) throw notFound(id);
      const { changes, action } = await prepare(trx, current);
      const edited = await edit(trx, current, changes);
      const { title, metadata } = changes;
      const overview = metadata !== undefined && Object.hasOwn(metadata, 'overview');
      await dropTexts(trx, current.no, { title: title !== undefined, overview });
      await touchLinked(trx, [current.no]);
      await saveItemRows(database.insertRows, trx, [edited]);
      await relinkGenres(trx, edited, metadata);
      const edits = { before: parseEdits(current.edits), after: parseEdits(edited.edits) };
      const noted = {
        change: action === 'edited' ? edits : ('event' as const),
        details: { fields: editedFields(changes) },
      };
      await audit(trx, entryOf(viewer, action, edited, noted));
      return edited;
    });
    const { title } = row;
    if (row.status === 'active')
      emit('library.item.updated', { itemId: id, libraryId: library.id, title });
  }

  /** Links the item to the genres that a person has just written. */
  async function relinkGenres(
    trx: Transaction,
    row: ItemRow,
    metadata: ItemChanges['metadata'],
  ): Promise<void> {
    const linking = { insertRows: database.insertRows, entities: parts.registry };
    await linkEditedGenres(trx, linking, row, { metadata, now: now() });
  }

  async function edit(trx: Transaction, row: ItemRow, changes: ItemChanges): Promise<ItemRow> {
    const edits = mergeEdits(parseEdits(row.edits), changes);
    const text = JSON.stringify(edits);
    if (text.length > largestEdits)
      throw refusal(`The changes of an item may have ${largestEdits} characters of JSON in all.`);
    const known = { title: row.title, metadata: parseMap(row.metadata) };
    return {
      ...row,
      ...columnsOf(known, edits),
      ...((changes.assets ?? changes.unlock) !== undefined &&
        (await picturesAfter(trx, row, edits.assets, changes.assets))),
      // A scan reads it from the files; here only a person's own word changes it.
      ...(changes.metadata?.['resolution'] !== undefined && {
        resolution: namedResolution(edits.metadata ?? {}),
      }),
      edits: text === '{}' ? null : text,
      seq: await takeNumbers(trx, 1),
      updated_at: now(),
    };
  }

  /** The pictures as they are shown now, with those that are chosen. */
  async function picturesAfter(
    trx: Transaction,
    row: ItemRow,
    chosen: ItemEdits['assets'],
    changed: ItemChanges['assets'] = {},
  ): Promise<ReturnType<typeof pictureColumns>> {
    const offered = await readAssetsOf(trx, row.no);
    for (const [type, picture] of Object.entries(changed))
      if (picture !== null && !offered.some(({ id }) => id === picture))
        throw refusal(`assets.${type} must be the id of a picture of the item, or null.`);
    const aspects = parseMap<string>(row.asset_aspects);
    const shown = Object.entries(parseMap<string>(row.assets)).map(([type, url]) => ({
      type,
      id: url.slice(url.lastIndexOf('/') + 1),
      aspect: aspects[type] ?? null,
    }));
    // What was deleted is shown no longer.
    const there = shown.filter(({ id }) => offered.some((one) => one.id === id));
    return pictureColumns([...there, ...offered], chosen);
  }

  async function forget(trx: Transaction, id: string): Promise<ItemRow | undefined> {
    const row = await findItem(trx, id);
    if (row === undefined) return undefined;
    await forgetFiles(trx, row.no);
    await deleteItemRows(trx, [row.no]);
    if (row.status !== 'active') return row;
    const stone = { item_id: id, seq: await takeNumbers(trx, 1) };
    await buryItems(database.insertRows, trx, [stone]);
    await countItems(trx, row.library_no, -1);
    return row;
  }
}

/** The edited fields; of the metadata its keys. */
const editedFields = ({
  metadata = {},
  assets = {},
  unlock = [],
  ...others
}: ItemChanges): readonly string[] => [
  ...Object.keys(others),
  ...Object.keys(metadata).map((key) => `metadata.${key}`),
  ...Object.keys(assets).map((type) => `assets.${type}`),
  ...unlock.map((name) => `unlock ${name}`),
];

/** The edits without those of some fields. The values stay until the item is refreshed. */
function unlocked(
  { metadata = {}, assets = {}, ...own }: ItemEdits,
  names: readonly string[],
): ItemEdits {
  const isKept = ([key]: readonly [string, unknown]): boolean => !names.includes(key);
  const kept = Object.entries(metadata).filter(([key]) => !names.includes(`metadata.${key}`));
  const chosen = Object.entries(assets).filter(([type]) => !names.includes(`assets.${type}`));
  return {
    ...Object.fromEntries(Object.entries(own).filter(isKept)),
    ...(kept.length > 0 && { metadata: Object.fromEntries(kept) }),
    ...(chosen.length > 0 && { assets: Object.fromEntries(chosen) }),
  };
}

function mergeEdits(before: ItemEdits, changes: ItemChanges): ItemEdits {
  const { title, certification, metadata, assets, unlock = [] } = changes;
  const edits = unlocked(before, unlock);
  if (title !== undefined && (title.trim() === '' || title.length > longestTitle))
    throw refusal(`title must have 1 to ${longestTitle} characters.`);
  if (metadata !== undefined) checkMetadata(metadata);
  return {
    ...edits,
    ...(title !== undefined && { title: title.trim() }),
    ...(certification !== undefined && { certification }),
    ...(metadata !== undefined && { metadata: { ...edits.metadata, ...metadata } }),
    ...(assets !== undefined && { assets: { ...edits.assets, ...assets } }),
  };
}

function notFound(id: string): AppError {
  return new AppError('not_found', { what: `Item ${id}` });
}

function refusal(what: string): AppError {
  return new AppError('invalid_request', { what });
}
