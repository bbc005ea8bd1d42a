/** Groups: the library access of many users in one place. */
import { isUniqueViolation, type Database, type Transaction } from '../../../kernel/store/index.ts';
import type { RecordAudit } from '../../platform/audit/index.ts';
import { toTimestamp, type Clock, type Undo } from '../../platform/clock.ts';
import { readCursor, writeCursor } from '../../platform/cursor.ts';
import { AppError } from '../../platform/errors.ts';
import type { NewId } from '../../platform/uuid-v7.ts';
import { assertFullAdmin, type Viewer } from '../viewer/index.ts';
import { createListeners } from '../../platform/listeners.ts';
import { keyOfName, parseUserName } from '../accounts/index.ts';
import * as store from './group-store.ts';
import { checkedAccess, type AccessCheckParts } from './user-access.ts';
import type {
  Group,
  GroupChanges,
  GroupsPage,
  NewGroup,
} from '../../contract/resources/accounts/groups.ts';

export interface GroupsParts extends AccessCheckParts {
  readonly database: Database;
  readonly clock: Pick<Clock, 'now'>;
  readonly newId: NewId;
  readonly audit: RecordAudit;
  /** The number of open invites that refer to the group. */
  readonly openInvites: (trx: Transaction, groupId: string) => Promise<number>;
}

type Reader = Transaction | Database['read'];

export class Groups {
  readonly #parts: GroupsParts;
  readonly #listeners = createListeners<string>();

  constructor(parts: GroupsParts) {
    this.#parts = parts;
  }

  readonly #now = (): string => toTimestamp(this.#parts.clock.now());

  async #existing(trx: Reader, id: string): Promise<store.StoredGroup> {
    const [group] = await store.findGroups(trx, [id]);
    if (group) return group;
    throw new AppError('not_found', { what: `Group ${id}` });
  }

  readonly #counted = async (trx: Reader, group: store.StoredGroup): Promise<Group> => ({
    ...group,
    userCount: await store.countMembers(trx, group.id),
  });

  readonly list = async (
    viewer: Viewer,
    {
      limit = 50,
      cursor,
    }: { readonly limit?: number | undefined; readonly cursor?: string | undefined },
  ): Promise<GroupsPage> => {
    assertFullAdmin(viewer, 'Groups');
    const after = cursor === undefined ? null : String(readCursor(cursor, 1)[0]);
    const found = await store.listGroups(this.#parts.database.read, { after, limit: limit + 1 });
    const page = found.slice(0, limit);
    const last = page.at(-1);
    return {
      groups: await Promise.all(
        page.map((group) => this.#counted(this.#parts.database.read, group)),
      ),
      nextCursor: found.length > limit && last ? writeCursor([keyOfName(last.name)]) : null,
    };
  };

  readonly get = async (id: string, viewer: Viewer): Promise<Group> => {
    assertFullAdmin(viewer, 'Groups');
    return this.#counted(
      this.#parts.database.read,
      await this.#existing(this.#parts.database.read, id),
    );
  };

  readonly create = async (
    { name, libraryAccess = [] }: NewGroup,
    viewer: Viewer,
  ): Promise<Group> => {
    const { newId, database, audit } = this.#parts;
    assertFullAdmin(viewer, 'Groups');
    const at = this.#now();
    const group = {
      id: newId(),
      name: parseUserName(name),
      libraryAccess: checkedAccess(libraryAccess, this.#parts),
      createdAt: at,
      updatedAt: at,
    };
    await database.write(async (trx) => {
      await store.insertGroup(trx, group).catch(takenAs(group.name));
      await audit(trx, { ...entryOf('group.created', group, viewer), change: 'event' });
    });
    return { ...group, userCount: 0 };
  };

  readonly update = async (id: string, changes: GroupChanges, viewer: Viewer): Promise<Group> => {
    assertFullAdmin(viewer, 'Groups');
    const { name, libraryAccess } = changes;
    const patch = {
      ...(name !== undefined && { name: parseUserName(name) }),
      ...(libraryAccess !== undefined && {
        libraryAccess: checkedAccess(libraryAccess, this.#parts),
      }),
    };
    const group = await this.#parts.database.write(async (trx) => {
      const before = await this.#existing(trx, id);
      const after = { ...before, ...patch, updatedAt: this.#now() };
      await store.updateGroup(trx, after).catch(takenAs(after.name));
      const change = { before, after: { ...after, updatedAt: before.updatedAt } };
      await this.#parts.audit(trx, { ...entryOf('group.updated', after, viewer), change });
      return this.#counted(trx, after);
    });
    this.#listeners.emit(id);
    return group;
  };

  /** Rejects with `conflict` while a user or an open invite refers to it. */
  readonly remove = async (id: string, viewer: Viewer): Promise<void> => {
    const { database, openInvites, audit } = this.#parts;
    assertFullAdmin(viewer, 'Groups');
    await database.write(async (trx) => {
      const group = await this.#counted(trx, await this.#existing(trx, id));
      const invites = await openInvites(trx, id);
      if (group.userCount + invites > 0) {
        throw new AppError('conflict', {
          what: `Group ${JSON.stringify(group.name)} is used by ${group.userCount} users and ${invites} open invites; remove it from them first.`,
        });
      }
      await store.removeGroup(trx, id);
      await audit(trx, { ...entryOf('group.removed', group, viewer), change: 'event' });
    });
    this.#listeners.emit(id);
  };

  readonly onChange = (listener: (groupId: string) => void): Undo => this.#listeners.add(listener);
}

export const createGroups = (parts: GroupsParts): Groups => new Groups(parts);

const entryOf = (
  action: string,
  { id, name, libraryAccess }: store.StoredGroup,
  actor: Viewer,
) => ({
  actor,
  action,
  target: { type: 'group', id },
  details: { name, libraryAccess: libraryAccess.map((entry) => ({ ...entry })) },
});

const takenAs =
  (name: string) =>
  (error: unknown): never => {
    if (!isUniqueViolation(error)) throw error;
    throw new AppError('conflict', {
      what: `There is a group named ${JSON.stringify(name)} already.`,
    });
  };
