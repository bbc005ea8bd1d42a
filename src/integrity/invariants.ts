/** What has to hold between the tables, whatever happened to the server. */

/** A rule, as the SQL of the rows that break it: what follows `select count(*) from`. */
export interface Invariant {
  readonly check: string;
  /** What breaks it, after a number: `3 items that ...`. */
  readonly broken: string;
  readonly rows: string;
}

const orphans = (table: string, key: string, parent: string, parentKey: string): string =>
  `${table} where ${table}.${key} is not null and not exists (select 1 from ${parent} where ${parent}.${parentKey} = ${table}.${key})`;

/** The rules, in the order in which they are looked at. */
export const invariants: readonly Invariant[] = [
  {
    check: 'items',
    broken: 'items are shown and have no media file',
    rows: `items where status <> 'missing' and not exists
      (select 1 from files where files.item_no = items.no and files.type = 'media')`,
  },
  {
    check: 'items',
    broken: 'items are in a library that is not there',
    rows: orphans('items', 'library_no', 'libraries', 'no'),
  },
  {
    check: 'files',
    broken: 'files belong to an item that is not there',
    rows: orphans('files', 'item_no', 'items', 'no'),
  },
  {
    check: 'files',
    broken: 'files are in a library that is not there',
    rows: orphans('files', 'library_no', 'libraries', 'no'),
  },
  {
    check: 'chapters',
    broken: 'chapters belong to a file that is not there',
    rows: orphans('chapters', 'file_no', 'files', 'no'),
  },
  {
    check: 'pictures',
    broken: 'pictures belong to an item that is not there',
    rows: orphans('assets', 'item_no', 'items', 'no'),
  },
  {
    check: 'links',
    broken: 'links lead from an item that is not there',
    rows: orphans('item_entities', 'item_no', 'items', 'no'),
  },
  {
    check: 'links',
    broken: 'links lead to an entity that is not there',
    rows: orphans('item_entities', 'entity_no', 'entities', 'no'),
  },
  {
    check: 'entities',
    broken: 'names are of an entity that is not there',
    rows: orphans('entity_names', 'entity_no', 'entities', 'no'),
  },
  {
    check: 'entities',
    broken: 'ids are of an entity that is not there',
    rows: orphans('entity_ids', 'entity_no', 'entities', 'no'),
  },
  {
    check: 'collections',
    broken: 'entries are of a collection that is not there',
    rows: orphans('collection_items', 'collection_no', 'collections', 'no'),
  },
  {
    check: 'sessions',
    broken: 'sessions are of a user who is not there',
    rows: orphans('sessions', 'user_id', 'users', 'id'),
  },
  {
    check: 'passkeys',
    broken: 'passkeys are of a user who is not there',
    rows: orphans('passkeys', 'user_id', 'users', 'id'),
  },
  {
    check: 'profiles',
    broken: 'profiles have been unlocked and are not there',
    rows: orphans('profile_unlocks', 'profile_id', 'profiles', 'id'),
  },
  {
    check: 'jobs',
    broken: 'jobs run and belong to nobody',
    rows: `jobs where status = 'running' and lease_owner is null`,
  },
];
