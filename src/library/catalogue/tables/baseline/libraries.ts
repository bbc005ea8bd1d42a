import { byteOrdered, type Transaction } from '../../../../../kernel/store/index.ts';

/** Libraries, the number of the last change, and the pages of scans. */
export async function createLibraries(trx: Transaction): Promise<void> {
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
    // The problems of its roots in the last scan: a list of {uri, code, message}.
    table.text('problems');
    // The volume on which each root lay when it was last complete, by URI.
    table.text('root_volumes');
    // Whether its folders are watched for changes.
    table.boolean('is_watched').notNullable().defaultTo(true);
    // When a whole scan last saw each mount below its roots, by URI.
    table.text('mounts');
    // What each plugin's last answer had its scans look for, by plugin id.
    table.text('sought');
    // What the last whole scan could not read below its roots: {count, uri, message}, null = nothing.
    table.text('unread_places');
    // The media jobs that run for it at night, as a JSON list; null = all.
    table.text('media_jobs');
    // Which source of metadata wins, as JSON in `library-sources.ts`; null = the usual order.
    table.text('sources');
    // Where links below its roots may lead: [{root, folder}] as JSON, null = nowhere else.
    table.text('links');
  });
  // Pages of scans that matched the library when they last came, by the digest of their listing.
  await trx.schema.createTable('sealed_pages', (table) => {
    table.integer('library_no').notNullable();
    // Bounds in the order of URIs: the page spoke for what lies above the first, up to the second.
    byteOrdered(table, 'after').notNullable();
    byteOrdered(table, 'through').notNullable();
    table.text('digest').notNullable();
    // How many media files there are in it.
    table.integer('files').notNullable();
    // Its digest in parts, so that a change of one file does not send all files of the page.
    table.text('parts');
    table.primary(['library_no', 'after']);
  });
}
