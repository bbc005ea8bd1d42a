import { byteOrdered, type Transaction } from '../../../../../kernel/store/index.ts';

/** Files, the chapters in them, and what their probe reported beside. */
export async function createFiles(trx: Transaction): Promise<void> {
  await createFileTable(trx);
  await indexFiles(trx);
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
  // The parts of probe reports that no other column has, so that files are not probed twice.
  await trx.schema.createTable('kept_reports', (table) => {
    table.integer('file_no').primary();
    table.text('plugin_id').notNullable();
    // Chapters, tags and artwork of the report. Null = it has none of them.
    table.text('rest');
    // Which version of its probe made it, so that a better one reads the file again.
    table.integer('answers_version').notNullable().defaultTo(1);
    // The id that a photo and the film in it share. Null = it has none.
    table.text('live_photo');
  });
  await trx.raw(
    'create index kept_reports_live on kept_reports (live_photo) where live_photo is not null',
  );
}

async function createFileTable(trx: Transaction): Promise<void> {
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
    // 0 = settled. Odd = never ingested; even = to be ingested again. Each mark adds 2, so that
    // an ingest under way sees that its file was marked meanwhile.
    table.integer('ingest_state').notNullable().defaultTo(1);
    // Error code of the last ingest; its message is in `file_info`.
    table.text('ingest_error');
    // Of an auxiliary file: the URI of its folder. Null for media.
    byteOrdered(table, 'folder');
    // Hex, 32 digits: size and samples of the content. Null = not known.
    table.text('fingerprint');
    // Null = it is not missing.
    table.bigInteger('missed_at');
    // What a job measured of its sound, as JSON; null = not measured.
    table.text('loudness');
    table.unique(['library_no', 'uri']);
    table.index(['library_no', 'size', 'modified_at']);
  });
}

async function indexFiles(trx: Transaction): Promise<void> {
  await trx.raw(
    `create index files_pending on files (library_no, item_no)
     where ingest_state > 0 and type = 'media'`,
  );
  await trx.raw('create index files_failed on files (library_no) where ingest_error is not null');
  await trx.raw(
    `create index files_auxiliary on files (library_no, folder) where type = 'auxiliary'`,
  );
  await trx.raw(`create index files_missing on files (missed_at) where status = 'missing'`);
  // A job that walks the files of a library reads each once.
  await trx.raw(
    `create index files_in_order on files (library_no, no)
     where type = 'media' and status = 'active'`,
  );
}
