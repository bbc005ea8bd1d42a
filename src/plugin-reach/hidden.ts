/**
 * What tells of a hidden library. A plugin that was granted all libraries does not hear of hidden ones: a
 * grant reaches a hidden library only by its name. What cannot be told apart counts as hidden.
 */
import type { HiddenScopes, Narrowed } from '../../kernel/index.ts';
import type { Places } from '../library/index.ts';
import { isMap } from './outward.ts';

/** Creates it over the libraries that there are now. */
export function createHidden(
  places: Pick<Places, 'libraries' | 'ofItems' | 'isHidden'>,
): HiddenScopes {
  const hidden = () => places.libraries().filter(({ id }) => places.isHidden(id));

  async function isHiddenItem(itemId: string): Promise<boolean> {
    const place = (await places.ofItems([itemId])).get(itemId);
    return place === undefined || places.isHidden(place.libraryId);
  }

  /** Notifications, errors and what plugins say may name a library or a file of it. */
  function isNamedIn(texts: readonly string[]): boolean {
    const names = hidden().flatMap(({ id, name, roots }) => [
      id,
      name,
      ...roots,
      ...roots.map(pathOf),
    ]);
    return texts.some((text) => names.some((name) => text.includes(name)));
  }

  async function isIn(data: unknown): Promise<boolean> {
    if (!isMap(data)) return false;
    const detail = isMap(data['detail']) ? data['detail'] : {};
    const libraryId = data['libraryId'] ?? detail['libraryId'];
    if (typeof libraryId === 'string') return places.isHidden(libraryId);
    const { itemId } = data;
    if (typeof itemId === 'string') return isHiddenItem(itemId);
    const texts = textsIn(data);
    if (isNamedIn(texts)) return true;
    const found = await places.ofItems(texts.filter((text) => text.length <= longestId));
    return [...found.values()].some((place) => places.isHidden(place.libraryId));
  }

  return {
    any: () => hidden().length > 0,
    shownOf: (reach) => {
      if (reach !== 'all' || hidden().length === 0) return reach;
      return places
        .libraries()
        .flatMap(({ id }): Narrowed => (places.isHidden(id) ? [] : [{ id }]));
    },
    isIn,
  };
}

const longestId = 100;

const pathOf = (uri: string): string => decodeURIComponent(uri.replace(/^file:\/\//, ''));

/** Every text in a value, at any depth. */
function textsIn(value: unknown): readonly string[] {
  if (typeof value === 'string') return [value];
  if (Array.isArray(value)) return value.flatMap(textsIn);
  return isMap(value) ? Object.values(value).flatMap(textsIn) : [];
}
