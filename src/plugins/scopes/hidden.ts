/**
 * Whether an event reveals a hidden library. A grant of all libraries does not include hidden ones: a
 * grant includes a hidden library only by its name. Text of the server is traced by the ids in it. Text of
 * a plugin is judged by what that plugin may know, never by its content: a plugin that may have learned of
 * a hidden library, by a hook, a file or a view, can reveal it in any spelling. In doubt an event counts
 * as hidden.
 */
import type { HiddenScopes, Narrowed } from '../../../kernel/index.ts';
import type { ItemLocations } from '../../library/catalogue/index.ts';
import { authorsOf, isOfPlugin, type Authors, type DeliveredEvent } from './authors.ts';
import { idsIn, mostIds } from './named-ids.ts';
import { isMap } from './outgoing-rules.ts';

/** Creates the checks. They always use the current libraries. */
export function createHidden(
  locations: Pick<ItemLocations, 'libraries' | 'ofItems' | 'named' | 'isHidden'>,
  authors: Authors,
): HiddenScopes {
  const hidden = () => locations.libraries().filter(({ id }) => locations.isHidden(id));

  async function isHiddenItem(itemId: string): Promise<boolean> {
    const place = (await locations.ofItems([itemId])).get(itemId);
    return place === undefined || locations.isHidden(place.libraryId);
  }

  /** Notifications, errors and text of plugins may name a library or a file of it. */
  function isNamedIn(texts: readonly string[]): boolean {
    const names = hidden().flatMap(({ id, name, roots }) => [
      id,
      name,
      ...roots,
      ...roots.map(pathOf),
    ]);
    return texts.some((text) => names.some((name) => text.includes(name)));
  }

  /** A plugin with all libraries may know a hidden one; only a plugin narrowed to other libraries cannot. */
  function mayKnow(pluginId: string): boolean {
    const reach = authors.reachOf(pluginId);
    return reach === null || reach === 'all' || reach.some(({ id }) => locations.isHidden(id));
  }

  async function isIn(event: DeliveredEvent, receiver: string | null): Promise<boolean> {
    const by = authorsOf(event, authors);
    const others = by?.filter((id) => id !== receiver) ?? [];
    if (by?.length === 0 || others.some(mayKnow)) return true;
    // A plugin may receive its own text.
    if (by !== null && others.length === 0 && isOfPlugin(event.type)) return false;
    return isTraced(event.data);
  }

  async function isTraced(data: unknown): Promise<boolean> {
    if (!isMap(data)) return false;
    const detail = isMap(data['detail']) ? data['detail'] : {};
    const libraryId = data['libraryId'] ?? detail['libraryId'];
    if (typeof libraryId === 'string') return locations.isHidden(libraryId);
    const { itemId } = data;
    if (typeof itemId === 'string') return isHiddenItem(itemId);
    const texts = textsIn(data);
    if (isNamedIn(texts)) return true;
    const ids = idsIn(texts);
    if (ids.length > mostIds) return true;
    const { items, entities } = await locations.named(ids);
    return (
      items.some((place) => locations.isHidden(place.libraryId)) ||
      entities.some((ids) => ids.length > 0 && ids.every(locations.isHidden))
    );
  }

  return {
    any: () => hidden().length > 0,
    shownOf: (reach) => {
      if (reach !== 'all' || hidden().length === 0) return reach;
      return locations
        .libraries()
        .flatMap(({ id }): Narrowed => (locations.isHidden(id) ? [] : [{ id }]));
    },
    isIn,
  };
}

const pathOf = (uri: string): string => decodeURIComponent(uri.replace(/^file:\/\//, ''));

/** Every text in a value, at any depth. */
function textsIn(value: unknown): readonly string[] {
  if (typeof value === 'string') return [value];
  if (Array.isArray(value)) return value.flatMap(textsIn);
  return isMap(value) ? Object.values(value).flatMap(textsIn) : [];
}
