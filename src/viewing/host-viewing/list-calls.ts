/** Playlists and collections of a person, for plugins. */
import { KernelError, type HostCaller, type HostInput } from '../../../kernel/index.ts';
import type { ViewingEntry, ViewingList } from '../../../plugin-api/index.ts';
import type { Collection } from '../../contract/resources/library/collections.ts';
import type { Viewer } from '../../people/viewer/index.ts';
import type { NewId } from '../../platform/uuid-v7.ts';
import type { Collections, Entries } from '../collections/index.ts';
import { assertWithin, type Person, type PersonOf } from './person.ts';

/** A page as plugins get it. */
interface EntriesPage {
  readonly entries: readonly ViewingEntry[];
  readonly nextCursor: string | null;
}

export interface ListCallsParts {
  /** Each obeys the access filter. */
  readonly collections: Pick<
    Collections,
    'create' | 'get' | 'list' | 'putItem' | 'remove' | 'removeItem' | 'update'
  >;
  readonly entries: Pick<Entries, 'add' | 'remove' | 'replace'> & {
    readonly list: (
      id: string,
      viewer: Viewer,
      query: { readonly limit?: number | undefined; readonly cursor?: string | undefined },
    ) => Promise<EntriesPage>;
  };
  readonly newId: NewId;
}

type Change = HostInput<'viewing', 'changeList'>;

/** Lists of a person, with the counts of what both the plugin and the person may see. */
export class ListCalls {
  readonly #parts: ListCallsParts;
  readonly #personOf: PersonOf;

  constructor(parts: ListCallsParts, personOf: PersonOf) {
    this.#parts = parts;
    this.#personOf = personOf;
  }

  readonly lists = async (
    { kind, ...page }: HostInput<'viewing', 'lists'>,
    caller: HostCaller,
  ): Promise<{ readonly lists: readonly ViewingList[]; readonly nextCursor: string | null }> => {
    const person = this.#personOf(caller);
    const found = await this.#parts.collections.list(person.viewer, page);
    const lists = found.collections
      .filter((one) => kind === undefined || one.kind === kind)
      .map((one) => toList(one, person));
    return { lists, nextCursor: found.nextCursor };
  };

  readonly entries = async (
    { listId, ...page }: HostInput<'viewing', 'entries'>,
    caller: HostCaller,
  ): Promise<EntriesPage> => {
    const { viewer, within } = this.#personOf(caller);
    const { entries, nextCursor } = await this.#parts.entries.list(listId, viewer, page);
    const shown = await within?.(entries.map(({ item }) => item.id));
    return { entries: entries.filter((_, at) => shown?.[at] ?? true), nextCursor };
  };

  readonly create = async (
    { kind, name, description, itemIds = [] }: HostInput<'viewing', 'createList'>,
    caller: HostCaller,
  ): Promise<ViewingList> => {
    const person = this.#personOf(caller);
    await assertWithin(person, itemIds);
    const distributedId = this.#parts.newId();
    const wanted = { kind, name, distributedId, ...(description !== undefined && { description }) };
    const list = await this.#parts.collections.create(wanted, person.viewer);
    try {
      await this.#add(list, { itemIds }, person);
    } catch (error) {
      // An item that is not there must not leave half a list behind.
      await this.#parts.collections.remove(list.id, person.viewer);
      throw error;
    }
    return this.#get(list.id, person);
  };

  readonly change = async (change: Change, caller: HostCaller): Promise<ViewingList> => {
    const person = this.#personOf(caller);
    const { listId, name, description, remove = [], replace, add = [], at } = change;
    const { viewer, within } = person;
    const list = await this.#parts.collections.get(listId, viewer);
    await assertWithin(person, [...(replace ?? []), ...add]);
    const fields = {
      ...(name !== undefined && { name }),
      ...(description !== undefined && { description }),
    };
    if (Object.keys(fields).length > 0)
      await this.#parts.collections.update(listId, fields, viewer);
    for (const id of remove)
      await (list.kind === 'playlist'
        ? this.#parts.entries.remove(listId, id, viewer)
        : this.#parts.collections.removeItem(listId, id, viewer));
    if (replace !== undefined) {
      const itemIds = { itemIds: replace, ...(within !== null && { within }) };
      await this.#parts.entries.replace(listId, itemIds, viewer);
    }
    await this.#add(list, { itemIds: add, position: at }, person);
    return this.#get(listId, person);
  };

  readonly remove = async (
    { listId }: HostInput<'viewing', 'removeList'>,
    caller: HostCaller,
  ): Promise<null> => {
    const person = this.#personOf(caller);
    await this.#assertSeesAll(listId, person, caller);
    await this.#parts.collections.remove(listId, person.viewer);
    return null;
  };

  /** A limited plugin removes no list with items that it may not see. */
  async #assertSeesAll(listId: string, person: Person, caller: HostCaller): Promise<void> {
    const { itemCount } = await this.#parts.collections.get(listId, person.viewer);
    if (person.isUnlimited) return;
    const whole = this.#personOf({ ...caller, reach: 'all' });
    const all = await this.#parts.collections.get(listId, whole.viewer);
    if (person.within === null && all.itemCount === itemCount) return;
    throw new KernelError('permission_denied', 'a list with items of other libraries');
  }

  async #add(
    { id, kind }: Pick<Collection, 'id' | 'kind'>,
    added: { readonly itemIds: readonly string[]; readonly position?: number | undefined },
    { viewer }: Person,
  ): Promise<void> {
    const { itemIds, position } = added;
    if (itemIds.length === 0) return;
    if (kind === 'playlist') {
      await this.#parts.entries.add(id, { itemIds, position }, viewer);
      return;
    }
    for (const [at, itemId] of itemIds.entries()) {
      const place = position === undefined ? undefined : position + at;
      await this.#parts.collections.putItem(id, { itemId, position: place }, viewer);
    }
  }

  async #get(id: string, person: Person): Promise<ViewingList> {
    return toList(await this.#parts.collections.get(id, person.viewer), person);
  }
}

/** Of a plugin that is limited to folders nobody counts the items. */
function toList(
  { id, kind, name, description, itemCount, rule, updatedAt }: Collection,
  { within }: Person,
): ViewingList {
  const count = within === null ? itemCount : null;
  return { id, kind, name, description, itemCount: count, isAutomatic: rule !== null, updatedAt };
}
