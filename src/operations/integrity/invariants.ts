/** Rules between the tables that must always hold. */

/** A rule, as the SQL of the rows that break it: what follows `select count(*) from`. */
export interface Invariant {
  readonly check: string;
  /** The fault, after a number: `3 items that ...`. */
  readonly broken: string;
  readonly rows: string;
}

const orphans = (table: string, key: string, parent: string, parentKey: string): string =>
  `${table} where ${table}.${key} is not null and not exists (select 1 from ${parent} where ${parent}.${parentKey} = ${table}.${key})`;

/** The rules, in the order of the check. */
export const invariants: readonly Invariant[] = [
  {
    check: 'items',
    broken: 'items are shown and have no media file',
    rows: `items where status <> 'missing' and not exists
      (select 1 from files where files.item_no = items.no and files.type = 'media')`,
  },
  {
    check: 'items',
    broken: 'items are in a library that does not exist',
    rows: orphans('items', 'library_no', 'libraries', 'no'),
  },
  {
    check: 'files',
    broken: 'files belong to an item that does not exist',
    rows: orphans('files', 'item_no', 'items', 'no'),
  },
  {
    check: 'files',
    broken: 'files are in a library that does not exist',
    rows: orphans('files', 'library_no', 'libraries', 'no'),
  },
  {
    check: 'chapters',
    broken: 'chapters belong to a file that does not exist',
    rows: orphans('chapters', 'file_no', 'files', 'no'),
  },
  {
    check: 'pictures',
    broken: 'pictures belong to an item that does not exist',
    rows: orphans('assets', 'item_no', 'items', 'no'),
  },
  {
    check: 'items',
    broken: 'texts that plugins gave belong to an item that does not exist',
    rows: orphans('given_texts', 'item_no', 'items', 'no'),
  },
  {
    check: 'links',
    broken: 'links lead from an item that does not exist',
    rows: orphans('item_entities', 'item_no', 'items', 'no'),
  },
  {
    check: 'items',
    broken: 'languages belong to an item that does not exist',
    rows: orphans('item_languages', 'item_no', 'items', 'no'),
  },
  {
    check: 'items',
    broken: 'titles in further languages belong to an item that does not exist',
    rows: orphans('item_texts', 'item_no', 'items', 'no'),
  },
  {
    check: 'links',
    broken: 'links lead to an entity that does not exist',
    rows: orphans('item_entities', 'entity_no', 'entities', 'no'),
  },
  {
    check: 'entities',
    broken: 'names belong to an entity that does not exist',
    rows: orphans('entity_names', 'entity_no', 'entities', 'no'),
  },
  {
    check: 'entities',
    broken: 'ids belong to an entity that does not exist',
    rows: orphans('entity_ids', 'entity_no', 'entities', 'no'),
  },
  {
    check: 'entities',
    broken: 'sums of items belong to an entity that does not exist',
    rows: orphans('entity_counts', 'entity_no', 'entities', 'no'),
  },
  {
    check: 'collections',
    broken: 'entries belong to a collection that does not exist',
    rows: orphans('collection_items', 'collection_no', 'collections', 'no'),
  },
  {
    check: 'sessions',
    broken: 'sessions belong to a user who does not exist',
    rows: orphans('sessions', 'user_id', 'users', 'id'),
  },
  {
    check: 'passkeys',
    broken: 'passkeys belong to a user who does not exist',
    rows: orphans('passkeys', 'user_id', 'users', 'id'),
  },
  {
    check: 'profiles',
    broken: 'unlocks belong to a profile that does not exist',
    rows: orphans('profile_unlocks', 'profile_id', 'profiles', 'id'),
  },
  {
    check: 'jobs',
    broken: 'jobs run without an owner',
    rows: `jobs where status = 'running' and lease_owner is null`,
  },
];
