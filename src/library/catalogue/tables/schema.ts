/**
 * The tables of the library. Rows refer to each other by `no`, a small number of the database's own
 * (an index of numbers is a third of the size of one of UUIDs); `id` is the public id. Texts that
 * are compared by their bytes have that order in both dialects.
 */
import { byteOrdered, type MigrationSet } from '../../../../kernel/storage/index.ts';
import { ingestMigration } from './migrations/0004-ingest.ts';
import { truthMigration } from './migrations/0005-truth.ts';
import { entitiesMigration } from './migrations/0006-entities.ts';
import { sealedPagesMigration } from './migrations/0007-sealed-pages.ts';
import { entityPicturesMigration } from './migrations/0008-entity-pictures.ts';
import { keptReportsMigration } from './migrations/0009-kept-reports.ts';
import { watchedLibrariesMigration } from './migrations/0010-watched-libraries.ts';
import { mountsMigration } from './migrations/0011-mounts-below-roots.ts';
import { quickCountsMigration } from './migrations/0012-quick-counts.ts';
import { splitLinksMigration } from './migrations/0013-split-links.ts';
import { ratedItemsMigration } from './migrations/0020-rated-items.ts';
import { pagePartsMigration } from './migrations/0021-page-parts.ts';
import { soughtMigration } from './migrations/0022-sought.ts';
import { unreadPlacesMigration } from './migrations/0023-unread-places.ts';
import { pictureLooksMigration } from './migrations/0024-picture-looks.ts';
import { entityCountsMigration } from './migrations/0025-entity-counts.ts';
import { itemFactsMigration } from './migrations/0026-item-facts.ts';
import { mediaJobsMigration } from './migrations/0027-media-jobs.ts';
import { wantedPicturesMigration } from './migrations/0028-wanted-pictures.ts';
import { sourcesMigration } from './migrations/0029-sources.ts';
import { uploadedPicturesMigration } from './migrations/0030-uploaded-pictures.ts';
import { chosenEntriesMigration } from './migrations/0031-chosen-entries.ts';
import { entityUploadsMigration } from './migrations/0032-entity-uploads.ts';
import { itemTextsMigration } from './migrations/0033-item-texts.ts';
import { entityTextsMigration } from './migrations/0034-entity-texts.ts';
import { entityLettersMigration } from './migrations/0035-entity-letters.ts';
import { filesInOrderMigration } from './migrations/0036-files-in-order.ts';
import { coveredLettersMigration } from './migrations/0037-covered-letters.ts';
import { givenTextsMigration } from './migrations/0038-given-texts.ts';
import { linkFoldersMigration } from './migrations/0039-link-folders.ts';
import { discLengthsMigration } from './migrations/0040-disc-lengths.ts';
import { versionsOfReportsMigration } from './migrations/0041-versions-of-reports.ts';

type Transaction = Parameters<MigrationSet['migrations'][number]['up']>[0];

export const libraryMigrations: MigrationSet = {
  name: 'library',
  migrations: [
    { id: '0001-libraries', up: createLibraries },
    { id: '0002-items-and-files', up: createItemsAndFiles },
    { id: '0003-entities', up: createEntities },
    ingestMigration,
    truthMigration,
    entitiesMigration,
    sealedPagesMigration,
    entityPicturesMigration,
    keptReportsMigration,
    watchedLibrariesMigration,
    mountsMigration,
    quickCountsMigration,
    splitLinksMigration,
    ratedItemsMigration,
    pagePartsMigration,
    soughtMigration,
    unreadPlacesMigration,
    pictureLooksMigration,
    entityCountsMigration,
    itemFactsMigration,
    mediaJobsMigration,
    wantedPicturesMigration,
    sourcesMigration,
    uploadedPicturesMigration,
    chosenEntriesMigration,
    entityUploadsMigration,
    itemTextsMigration,
    entityTextsMigration,
    entityLettersMigration,
    filesInOrderMigration,
    coveredLettersMigration,
    givenTextsMigration,
    linkFoldersMigration,
    discLengthsMigration,
    versionsOfReportsMigration,
  ],
};

async function createLibraries(trx: Transaction): Promise<void> {
  // One row: the last number taken by a row or a change of the feed.
  await trx.schema.createTable('library_counter', (table) => {
    table.integer('id').primary();
    table.bigInteger('value').notNullable();
  });
  await trx('library_counter').insert({ id: 1, value: 0 });
  await trx.schema.createTable('libraries', (table) => {
    table.integer('no').primary();
    table.text('id').notNullable().unique();
    table.text('name').notNullable();
    byteOrdered(table, 'name_key').notNullable().unique();
    table.text('type').notNullable();
    table.text('roots').notNullable();
    table.text('plugin_id');
    table.boolean('hidden').notNullable();
    table.integer('item_count').notNullable().defaultTo(0);
    // The counter when the running scan began; null when none runs.
    table.bigInteger('scan_after');
    table.bigInteger('scan_began_at');
    // Whether a file of this library was ever missing; if not, no file can have moved.
    table.boolean('has_missed').notNullable().defaultTo(false);
    table.bigInteger('last_scan_at');
    table.bigInteger('created_at').notNullable();
    table.bigInteger('updated_at').notNullable();
  });
}

async function createItemsAndFiles(trx: Transaction): Promise<void> {
  await trx.schema.createTable('items', (table) => {
    table.integer('no').primary();
    table.text('id').notNullable().unique();
    table.integer('library_no').notNullable();
    byteOrdered(table, 'group_key').notNullable();
    table.text('title').notNullable();
    byteOrdered(table, 'sort_title').notNullable();
    // 0 = unknown: null sorts differently in each database, and cannot be a cursor.
    table.integer('year').notNullable();
    table.text('certification');
    table.text('metadata').notNullable();
    // A person's edits, by key; a scan never overrides them.
    table.text('edits');
    table.text('assets');
    table.text('asset_aspects');
    table.text('attachments');
    table.text('provenance');
    table.text('status').notNullable();
    // Whether a primary file named it; else the next primary file does.
    table.boolean('is_named').notNullable();
    table.bigInteger('seq').notNullable();
    table.bigInteger('added_at').notNullable();
    table.bigInteger('updated_at').notNullable();
    table.unique(['library_no', 'group_key']);
    table.index(['seq']);
  });
  for (const [name, columns] of [
    ['items_by_title', 'library_no, sort_title, no'],
    ['items_by_age', 'library_no, added_at, no'],
    ['items_by_year', 'library_no, year, no'],
  ]) {
    await trx.raw(`create index ${name} on items (${columns}) where status = 'active'`);
  }
  await trx.schema.createTable('removed_items', (table) => {
    table.text('item_id').primary();
    table.bigInteger('seq').notNullable().index();
  });
  await trx.schema.createTable('files', (table) => {
    table.integer('no').primary();
    table.text('id').notNullable().unique();
    table.integer('library_no').notNullable();
    // Null = without an item: the file is known and not shown until it changes.
    table.integer('item_no').index();
    byteOrdered(table, 'uri').notNullable();
    table.text('classification').notNullable();
    table.text('edition');
    table.integer('part_number');
    table.text('type').notNullable().defaultTo('media');
    table.text('status').notNullable();
    table.bigInteger('size').notNullable();
    table.bigInteger('modified_at').notNullable();
    table.specificType('duration', 'double precision');
    table.text('file_info');
    table.text('assets');
    table.text('asset_aspects');
    table.boolean('has_chapters').notNullable().defaultTo(false);
    table.bigInteger('created_at').notNullable();
    table.bigInteger('updated_at').notNullable();
    table.unique(['library_no', 'uri']);
    table.index(['library_no', 'size', 'modified_at']);
  });
  await trx.schema.createTable('chapters', (table) => {
    table.text('id').primary();
    table.integer('file_no').notNullable().index();
    table.text('title').notNullable();
    table.text('source').notNullable();
    table.specificType('start_time', 'double precision').notNullable();
    table.specificType('end_time', 'double precision');
    table.text('role').notNullable();
    table.text('metadata');
    table.text('assets');
    table.bigInteger('created_at').notNullable();
    table.bigInteger('updated_at').notNullable();
  });
  await trx.schema.createTable('assets', (table) => {
    table.text('id').primary();
    table.integer('item_no').notNullable().index();
    table.text('type').notNullable();
    table.text('uri').notNullable();
    table.text('mime_type');
    table.text('aspect');
    table.text('source').notNullable();
  });
}

async function createEntities(trx: Transaction): Promise<void> {
  await trx.schema.createTable('entities', (table) => {
    table.integer('no').primary();
    table.text('id').notNullable().unique();
    // Type, parent and folded name in one text: mentions with equal keys are the same entity.
    byteOrdered(table, 'key').notNullable().unique();
    table.text('type').notNullable();
    table.text('name').notNullable();
    byteOrdered(table, 'sort_name').notNullable();
    table.text('status').notNullable();
    table.text('source_plugin_id');
    table.text('search_terms');
    table.text('metadata');
    table.text('assets');
    table.text('asset_aspects');
    table.boolean('hidden').notNullable().defaultTo(false);
    table.bigInteger('created_at').notNullable();
    table.bigInteger('updated_at').notNullable();
    table.index(['type', 'sort_name', 'no']);
  });
  await trx.schema.createTable('item_entities', (table) => {
    table.integer('item_no').notNullable();
    table.integer('entity_no').notNullable();
    table.text('role').notNullable();
    table.integer('sort_order').notNullable();
    table.text('metadata');
    table.unique(['item_no', 'entity_no', 'role']);
    table.index(['entity_no']);
  });
}
