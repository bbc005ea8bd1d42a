import { call, type Resources } from '../core/api.ts';
import { useResource } from '../core/resource.ts';
import { PluginActions, PluginSlot } from '../pieces/plugin-slot.tsx';

interface ItemPiecesProps {
  readonly item: Pick<Resources['ItemDetail'], 'id' | 'libraryId'>;
}

/** The context of an item's page for plugins; `undefined` until the type of its library is known. */
function useContext({ item: { id, libraryId } }: ItemPiecesProps) {
  const libraries = useResource('libraries', ['library'], () => call('get', '/api/libraries'));
  const library = libraries.value.value?.libraries.find((one) => one.id === libraryId);
  return library === undefined ? undefined : { itemId: id, libraryType: library.type };
}

/** What plugins can do with the item. */
export function ItemActions(props: ItemPiecesProps) {
  const context = useContext(props);
  return context && <PluginActions view="ui.item.detail.actions" context={context} />;
}

/** What plugins say of the item. */
export function ItemPanels(props: ItemPiecesProps) {
  const context = useContext(props);
  return context && <PluginSlot view="ui.item.detail.panels" context={context} />;
}
