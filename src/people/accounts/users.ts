/**
 * Users. There is always an admin who can sign in. Once a change of a user resolves, no credential
 * of the user gives rights from before it.
 */
import { isUniqueViolation, type Database, type Transaction } from '../../../kernel/store/index.ts';
import type { RecordAudit } from '../../platform/audit/index.ts';
import { toTimestamp, type Clock, type Undo } from '../../platform/clock.ts';
import { readCursor, writeCursor } from '../../platform/cursor.ts';
import { AppError } from '../../platform/errors.ts';
import type { NewId } from '../../platform/uuid-v7.ts';
import { assertFullAdmin, toLibraryAccess, type Viewer } from '../viewer/index.ts';
import { endApiKeysOf, removeApiKeysOf } from './api-key-store.ts';
import { createFreshCache } from '../../platform/fresh-cache.ts';
import { createListeners } from '../../platform/listeners.ts';
import {
  assertRole,
  assertSeesAllIfAdmin,
  hashFor,
  prepareUser,
  type CheckUserAccess,
  type Hashing,
  type NewUser,
  type PreparedUser,
} from './new-user.ts';
import { countPasskeysOf, removePasskeysOf } from './passkeys/passkey-store.ts';
import type { HashFor, Passwords } from '../credentials/index.ts';
import { removeSessionsOf } from './session-store.ts';
import { keyOfName, parseUserName } from './user-name.ts';
import * as store from './user-store.ts';
import type { UserFollower } from './user.ts';
import type { User } from '../../contract/resources/accounts/accounts.ts';
import type { UserChanges, UsersPage } from '../../contract/resources/accounts/users.ts';

export interface Users {
  /** From a cache that every change invalidates: fast enough for each request. */
  readonly find: (id: string) => Promise<User | undefined>;
  /** For admins, and for every user about themselves. */
  readonly get: (id: string, viewer: Viewer) => Promise<User>;
  readonly list: (
    viewer: Viewer,
    query: { readonly limit?: number | undefined; readonly cursor?: string | undefined },
  ) => Promise<UsersPage>;
  readonly count: () => Promise<number>;
  readonly create: (newUser: NewUser, viewer: Viewer) => Promise<User>;
  /**
   * Validates a new user and hashes the password, which is slow and belongs before a transaction.
   */
  readonly prepare: (newUser: NewUser, of: HashFor) => Promise<PreparedUser>;
  /**
   * Inserts a user with the data of all followers; `conflict` when the name is taken. With
   * `isAccessChecked` the access is not validated again: libraries that are gone give no access.
   */
  readonly insert: (
    trx: Transaction,
    preparedUser: PreparedUser,
    options?: { readonly isAccessChecked: boolean },
  ) => Promise<User>;
  /** Rejects with `last_admin` if the server would have no admin left. */
  readonly update: (id: string, changes: UserChanges, viewer: Viewer) => Promise<User>;
  /** Sets a password as an admin: ends all of the user's sessions, and API keys on request. */
  readonly setPassword: (
    id: string,
    change: { readonly password: string; readonly endApiKeys?: boolean },
    viewer: Viewer,
  ) => Promise<void>;
  /** Removes a user and all data of the user. */
  readonly remove: (id: string, viewer: Viewer) => Promise<void>;
  /** Whether a user is in the group, which then must not be removed. */
  readonly isGroupNamed: (trx: Transaction, groupId: string) => Promise<boolean>;
  /** Stores the last use; the caller limits how often. */
  readonly noteSeen: (trx: Transaction, id: string, at: string) => Promise<void>;
  /** Invalidates the cache of a changed user, and calls the listeners. */
  readonly changed: (userId: string) => void;
  /** Another server changed these users; `null` = any of them. */
  readonly onRemoteChange: (ids: readonly string[] | null) => void;
  /** Reports each user that was changed or removed, before the change resolves. */
  readonly onChange: (listener: (userId: string) => void) => Undo;
}

export interface UsersParts {
  readonly database: Database;
  readonly clock: Clock;
  readonly newId: NewId;
  readonly passwords: Passwords;
  readonly audit: RecordAudit;
  readonly checkUserAccess: CheckUserAccess;
  /** Rejects when no further user may be added to this number. */
  readonly assertRoom: (trx: Transaction, usersNow: number) => Promise<void>;
  readonly followers: readonly UserFollower[];
}

const mostCached = 1000;

class StoredUsers implements Users {
  readonly #parts: UsersParts;
  readonly #cache = createFreshCache<User>(mostCached);
  readonly #listeners = createListeners<string>();
  readonly isGroupNamed: Users['isGroupNamed'];
  readonly noteSeen: Users['noteSeen'];
  readonly onChange: Users['onChange'];

  constructor(parts: UsersParts) {
    this.#parts = parts;
    this.isGroupNamed = store.isGroupNamed;
    this.noteSeen = store.noteUserSeen;
    this.onChange = this.#listeners.add;
  }

  readonly #now = (): string => toTimestamp(this.#parts.clock.now());

  readonly #hashingOf = ({ userId }: Viewer): Hashing => ({
    passwords: this.#parts.passwords,
    of: { purpose: 'password', userId },
  });

  readonly changed = (userId: string): void => {
    this.#cache.forget();
    this.#listeners.emit(userId);
  };

  readonly find: Users['find'] = (id) =>
    this.#cache.get(id, async () => {
      const user = await store.findUser(this.#parts.database.read, id);
      return user && store.shownUser(user);
    });

  readonly get: Users['get'] = async (id, viewer) => {
    if (id !== viewer.userId) assertFullAdmin(viewer, 'Other users');
    return store.shownUser(await existing(this.#parts.database.read, id));
  };

  readonly list: Users['list'] = async (viewer, { limit = 50, cursor }) => {
    assertFullAdmin(viewer, 'Users');
    const after = cursor === undefined ? null : String(readCursor(cursor, 1)[0]);
    const found = await store.listUsers(this.#parts.database.read, { after, limit: limit + 1 });
    const users = found.slice(0, limit).map(store.shownUser);
    const last = users.at(-1);
    const isMore = found.length > limit && last !== undefined;
    return { users, nextCursor: isMore ? writeCursor([keyOfName(last.name)]) : null };
  };

  readonly insert: Users['insert'] = async (trx, preparedUser, options) => {
    const { assertRoom, checkUserAccess, newId, followers } = this.#parts;
    const { name, role, passwordHash, libraryAccess, groupIds } = preparedUser;
    await assertRoom(trx, await store.countUsers(trx));
    const wanted = { libraryAccess, groupIds };
    const access = options?.isAccessChecked === true ? wanted : await checkUserAccess(trx, wanted);
    assertSeesAllIfAdmin(role, access);
    const at = this.#now();
    const user: User = {
      id: newId(),
      name,
      role,
      disabled: false,
      ...access,
      hasPassword: passwordHash !== null,
      requiresPasskey: false,
      createdAt: at,
      updatedAt: at,
      lastSeenAt: null,
    };
    await insertNamed(trx, { ...user, passwordHash });
    for (const follower of followers) await follower.created(trx, user);
    return user;
  };

  readonly create: Users['create'] = async (newUser, viewer) => {
    assertFullAdmin(viewer, 'Users');
    const preparedUser = await prepareUser(newUser, this.#hashingOf(viewer));
    return this.#parts.database.write(async (trx) => {
      const user = await this.insert(trx, preparedUser);
      const details = { name: user.name, role: user.role };
      await this.#parts.audit(trx, {
        actor: viewer,
        action: 'user.created',
        change: 'event',
        target: targetOf(user.id),
        details,
      });
      return user;
    });
  };

  readonly update: Users['update'] = async (id, changes, viewer) => {
    const { database, checkUserAccess, followers, audit } = this.#parts;
    assertFullAdmin(viewer, 'Users');
    const patch = checkedChanges(changes);
    const user = await database.write(async (trx) => {
      const before = await existing(trx, id);
      // Entries that the user had before may be gone by now; only new ones must exist.
      const changesAccess = patch.libraryAccess !== undefined || patch.groupIds !== undefined;
      // Groups say what a user sees who saw everything before.
      const joins = patch.libraryAccess === undefined && (patch.groupIds ?? []).length > 0;
      const own = joins ? (before.libraryAccess ?? []) : before.libraryAccess;
      const wanted = { ...before, libraryAccess: own, ...patch };
      const access = changesAccess ? await checkUserAccess(trx, wanted) : {};
      const after = { ...before, ...patch, ...access };
      assertSeesAllIfAdmin(after.role, after);
      if (after.role !== 'admin' || after.disabled) await assertOtherAdmin(trx, before);
      if (patch.name !== undefined && (await store.isNameTaken(trx, patch.name, id))) {
        throw taken(patch.name);
      }
      if (patch.requiresPasskey === true) await assertHasPasskey(trx, id);
      await store.updateUser(trx, id, { ...patch, ...access }, this.#now());
      if (after.disabled) await removeSessionsOf(trx, id);
      const user = await existing(trx, id);
      for (const follower of followers) await follower.updated?.(trx, store.shownUser(user));
      const details = { name: after.name, changes: Object.keys(patch), ...rightsOf(after) };
      const change = { before, after: { ...user, updatedAt: before.updatedAt } };
      const entry = { actor: viewer, action: 'user.updated', target: targetOf(id), change };
      await audit(trx, { ...entry, details });
      return user;
    });
    this.changed(id);
    return store.shownUser(user);
  };

  readonly setPassword: Users['setPassword'] = async (id, { password, endApiKeys }, viewer) => {
    const { database, audit } = this.#parts;
    assertFullAdmin(viewer, 'Passwords of others');
    const { name } = await existing(database.read, id);
    const passwordHash = await hashFor(name, password, this.#hashingOf(viewer));
    await database.write(async (trx) => {
      await existing(trx, id);
      await store.updateUser(trx, id, { passwordHash }, this.#now());
      await removeSessionsOf(trx, id);
      const apiKeysEnded = endApiKeys === true ? await endApiKeysOf(trx, id) : 0;
      const entry = { actor: viewer, action: 'user.password_reset', target: targetOf(id) };
      await audit(trx, {
        ...entry,
        change: 'event',
        details: { name, ...(apiKeysEnded > 0 && { apiKeysEnded }) },
      });
    });
    this.changed(id);
  };

  readonly remove: Users['remove'] = async (id, viewer) => {
    const { database, followers, audit } = this.#parts;
    assertFullAdmin(viewer, 'Users');
    await database.write(async (trx) => {
      const user = await existing(trx, id);
      await assertOtherAdmin(trx, user);
      for (const follower of followers) await follower.removed(trx, id);
      await removeSessionsOf(trx, id);
      await removeApiKeysOf(trx, id);
      await removePasskeysOf(trx, id);
      await store.removeUser(trx, id);
      const details = { name: user.name, role: user.role };
      await audit(trx, {
        actor: viewer,
        action: 'user.removed',
        change: 'event',
        target: targetOf(id),
        details,
      });
    });
    this.changed(id);
  };

  readonly count: Users['count'] = () => store.countUsers(this.#parts.database.read);

  readonly prepare: Users['prepare'] = (newUser, of) =>
    prepareUser(newUser, { passwords: this.#parts.passwords, of });

  readonly onRemoteChange: Users['onRemoteChange'] = (ids) => {
    this.#cache.forget();
    for (const id of ids ?? ['']) this.#listeners.emit(id);
  };
}

export const createUsers = (parts: UsersParts): Users => new StoredUsers(parts);

/** The rights of a user, for the audit log. */
const rightsOf = ({ role, disabled, libraryAccess, groupIds, requiresPasskey }: User) => ({
  role,
  disabled,
  libraryAccess:
    libraryAccess && libraryAccess.map(({ libraryId, maxRating }) => ({ libraryId, maxRating })),
  groupIds,
  requiresPasskey,
});

const targetOf = (id: string) => ({ type: 'user', id });

const taken = (name: string): AppError =>
  new AppError('conflict', { what: `There is a user named ${JSON.stringify(name)} already.` });

async function insertNamed(trx: Transaction, user: store.StoredUser): Promise<void> {
  try {
    await store.insertUser(trx, user);
  } catch (error) {
    throw isUniqueViolation(error) ? taken(user.name) : error;
  }
}

async function existing(
  trx: Parameters<typeof store.findUser>[0],
  id: string,
): Promise<store.StoredUser> {
  const user = await store.findUser(trx, id);
  if (user) return user;
  throw new AppError('not_found', { what: `User ${id}` });
}

function checkedChanges(changes: UserChanges): store.UserPatch {
  const { name, role, disabled, libraryAccess, groupIds, requiresPasskey } = changes;
  if (role !== undefined) assertRole(role);
  return {
    ...(name !== undefined && { name: parseUserName(name) }),
    ...(role !== undefined && { role }),
    ...(disabled !== undefined && { disabled }),
    ...(libraryAccess !== undefined && {
      libraryAccess: libraryAccess && libraryAccess.map(toLibraryAccess),
    }),
    ...(groupIds !== undefined && { groupIds }),
    ...(requiresPasskey !== undefined && { requiresPasskey }),
  };
}

async function assertOtherAdmin(trx: Transaction, user: store.StoredUser): Promise<void> {
  if (user.role !== 'admin' || user.disabled) return;
  if ((await store.firstAdminId(trx, user.id)) === undefined) {
    throw new AppError('last_admin', { name: user.name });
  }
}

async function assertHasPasskey(trx: Transaction, id: string): Promise<void> {
  if ((await countPasskeysOf(trx, id)) > 0) return;
  throw new AppError('conflict', {
    what: 'requiresPasskey needs a passkey: the user adds one first.',
  });
}
