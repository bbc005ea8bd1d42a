import type { Knex } from 'knex';
import { keyOfName } from '../accounts/index.ts';
import type { LibraryAccess } from '../../contract/resources/accounts/accounts.ts';
import type { Group } from '../../contract/resources/accounts/groups.ts';

export type StoredGroup = Omit<Group, 'userCount'>;

interface GroupRow {
  readonly id: string;
  readonly name: string;
  readonly name_key: string;
  readonly library_access: string;
  readonly created_at: string;
  readonly updated_at: string;
}

const groups = (trx: Knex) => trx<GroupRow>('access_groups');

/** Rejects with a unique violation when the name is taken. */
export async function insertGroup(trx: Knex, group: StoredGroup): Promise<void> {
  await groups(trx).insert({
    id: group.id,
    ...columnsOf(group),
    created_at: group.createdAt,
    updated_at: group.updatedAt,
  });
}

/** Rejects with a unique violation when the name is taken. */
export async function updateGroup(trx: Knex, group: StoredGroup): Promise<void> {
  await groups(trx)
    .where('id', group.id)
    .update({ ...columnsOf(group), updated_at: group.updatedAt });
}

export async function removeGroup(trx: Knex, id: string): Promise<void> {
  await groups(trx).where({ id }).delete();
}

export async function findGroups(trx: Knex, ids: readonly string[]): Promise<StoredGroup[]> {
  if (ids.length === 0) return [];
  return (await groups(trx).whereIn('id', [...ids])).map(toGroup);
}

/** Ordered by name, after the name `after`. */
export async function listGroups(
  trx: Knex,
  { after, limit }: { readonly after: string | null; readonly limit: number },
): Promise<readonly StoredGroup[]> {
  const query = groups(trx).orderBy('name_key').limit(limit);
  if (after !== null) void query.where('name_key', '>', after);
  return (await query).map(toGroup);
}

/** The number of users in the group. Ids contain no character that is special in LIKE or JSON. */
export async function countMembers(trx: Knex, groupId: string): Promise<number> {
  const [row] = await trx('users')
    .whereLike('group_ids', `%"${groupId}"%`)
    .count<{ total: number | string }[]>({ total: '*' });
  return Number(row?.total ?? 0);
}

const columnsOf = ({ name, libraryAccess }: StoredGroup) => ({
  name,
  name_key: keyOfName(name),
  library_access: JSON.stringify(libraryAccess),
});

/** The values were validated before they were written. */
const toGroup = (row: GroupRow): StoredGroup => ({
  id: row.id,
  name: row.name,
  libraryAccess: JSON.parse(row.library_access) as readonly LibraryAccess[],
  createdAt: row.created_at,
  updatedAt: row.updated_at,
});
