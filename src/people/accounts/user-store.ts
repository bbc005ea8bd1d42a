import type { Knex } from 'knex';
import { readLimit, writeLimit, type Role } from '../viewer/index.ts';
import { keyOfName } from './user-name.ts';
import type { LibraryAccess, User } from '../../contract/resources/accounts/accounts.ts';

/** A user with the fields that are never shown. */
export interface StoredUser extends User {
  readonly passwordHash: string | null;
}

/** Without the hash of the password, which is never shown. */
export function shownUser({ passwordHash: _, ...user }: StoredUser): User {
  return user;
}

/** The columns that an update may set; `undefined` = unchanged. */
export type UserPatch = Partial<
  Pick<
    StoredUser,
    'name' | 'role' | 'disabled' | 'libraryAccess' | 'groupIds' | 'requiresPasskey' | 'passwordHash'
  >
>;

interface UserRow {
  readonly id: string;
  readonly name: string;
  readonly name_key: string;
  readonly role: Role;
  readonly disabled: number;
  readonly library_access: string;
  readonly group_ids: string;
  readonly password_hash: string | null;
  readonly requires_passkey: number;
  readonly created_at: string;
  readonly updated_at: string;
  readonly last_seen_at: string | null;
}

const users = (trx: Knex) => trx<UserRow>('users');

/** Rejects with a unique violation when the name is taken. */
export async function insertUser(trx: Knex, user: StoredUser): Promise<void> {
  await users(trx).insert({
    id: user.id,
    name: user.name,
    name_key: keyOfName(user.name),
    role: user.role,
    disabled: Number(user.disabled),
    library_access: writeLimit(user.libraryAccess),
    group_ids: JSON.stringify(user.groupIds),
    password_hash: user.passwordHash,
    requires_passkey: Number(user.requiresPasskey),
    created_at: user.createdAt,
    updated_at: user.updatedAt,
    last_seen_at: user.lastSeenAt,
  });
}

export async function findUser(trx: Knex, id: string): Promise<StoredUser | undefined> {
  const row = await users(trx).where({ id }).first();
  return row && toUser(row);
}

export async function findUserByName(trx: Knex, name: string): Promise<StoredUser | undefined> {
  const row = await users(trx).where('name_key', keyOfName(name)).first();
  return row && toUser(row);
}

/** Whether another user has that name. */
export async function isNameTaken(trx: Knex, name: string, id: string): Promise<boolean> {
  const row = await users(trx).where('name_key', keyOfName(name)).whereNot({ id }).first('id');
  return row !== undefined;
}

/** Ordered by name, after the name `after`. */
export async function listUsers(
  trx: Knex,
  { after, limit }: { readonly after: string | null; readonly limit: number },
): Promise<readonly StoredUser[]> {
  const query = users(trx).orderBy('name_key').limit(limit);
  if (after !== null) void query.where('name_key', '>', after);
  return (await query).map(toUser);
}

/** All users, ordered by name; for the operator's commands. */
export async function usersIn(trx: Knex): Promise<readonly User[]> {
  return (await users(trx).orderBy('name_key')).map((row) => shownUser(toUser(row)));
}

export async function countUsers(trx: Knex): Promise<number> {
  const [row] = await trx('users').count({ count: '*' });
  return Number(row?.['count'] ?? 0);
}

/** The oldest admin who is not disabled, except `exceptId`. */
export async function firstAdminId(trx: Knex, exceptId = ''): Promise<string | undefined> {
  const row = await users(trx)
    .where({ role: 'admin', disabled: 0 })
    .whereNot('id', exceptId)
    .orderBy('id')
    .first('id');
  return row?.id;
}

export async function updateUser(
  trx: Knex,
  id: string,
  patch: UserPatch,
  at: string,
): Promise<void> {
  const { name, role, disabled, libraryAccess, groupIds, requiresPasskey, passwordHash } = patch;
  await users(trx)
    .where({ id })
    .update({
      updated_at: at,
      ...(name !== undefined && { name, name_key: keyOfName(name) }),
      ...(role !== undefined && { role }),
      ...(disabled !== undefined && { disabled: Number(disabled) }),
      ...(libraryAccess !== undefined && { library_access: writeLimit(libraryAccess) }),
      ...(groupIds !== undefined && { group_ids: JSON.stringify(groupIds) }),
      ...(requiresPasskey !== undefined && { requires_passkey: Number(requiresPasskey) }),
      ...(passwordHash !== undefined && { password_hash: passwordHash }),
    });
}

export async function removeUser(trx: Knex, id: string): Promise<void> {
  await users(trx).where({ id }).delete();
}

export async function noteUserSeen(trx: Knex, id: string, at: string): Promise<void> {
  await users(trx).where({ id }).update({ last_seen_at: at });
}

/** Ids contain no character that is special in LIKE or JSON. */
export async function isGroupNamed(trx: Knex, groupId: string): Promise<boolean> {
  const row = await users(trx).whereLike('group_ids', `%"${groupId}"%`).first('id');
  return row !== undefined;
}

/** The values were validated before they were written. */
function toUser(row: UserRow): StoredUser {
  return {
    id: row.id,
    name: row.name,
    role: row.role,
    disabled: row.disabled !== 0,
    libraryAccess: readLimit<LibraryAccess>(row.library_access),
    groupIds: JSON.parse(row.group_ids) as readonly string[],
    hasPassword: row.password_hash !== null,
    passwordHash: row.password_hash,
    requiresPasskey: row.requires_passkey !== 0,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
    lastSeenAt: row.last_seen_at,
  };
}
