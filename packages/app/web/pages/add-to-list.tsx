import { useSignal } from '@preact/signals';
import { t } from '../core/messages.ts';
import { invalidate, useResource } from '../core/resource.ts';
import { isUser } from '../core/session.ts';
import { Dialog } from '../ui/dialog.tsx';
import { Icon } from '../ui/icon.tsx';
import { Ready } from '../ui/states.tsx';
import { attempt } from '../ui/toast.tsx';
import { addToList, isOwn, readLists, type List } from './list-data.ts';
import { NewList } from './list-form.tsx';

interface AddToListProps {
  readonly itemIds: readonly string[];
}

/** A button that adds items to one of the person's lists, or to a new one. Guests have no lists. */
export function AddToList({ itemIds }: AddToListProps) {
  const isOpen = useSignal(false);
  if (!isUser.value || itemIds.length === 0) return null;
  return (
    <>
      <button type="button" class="button compact" onClick={() => (isOpen.value = true)}>
        <Icon name="plus" />
        {t('lists.add')}
      </button>
      {isOpen.value && <ListChoice itemIds={itemIds} close={() => (isOpen.value = false)} />}
    </>
  );
}

/** Chooses the list that items are added to. */
export function ListChoice({ itemIds, close }: AddToListProps & { readonly close: () => void }) {
  const lists = useResource('lists', ['collection'], readLists);
  const add = (list: List): Promise<boolean> =>
    attempt(
      async () => {
        await addToList(list, itemIds);
        invalidate((topic) => topic === 'collection');
        close();
      },
      t('lists.addedTo', { name: list.name }),
    );
  return (
    <Dialog title={t('lists.add')} onClose={close}>
      <Ready of={lists}>
        {(all) => (
          <ul class="lines choices">
            {all.filter(isOwn).map((list) => (
              <li key={list.id}>
                <button type="button" class="choice" onClick={() => void add(list)}>
                  <Icon name={list.kind === 'playlist' ? 'queue' : 'list'} />
                  <bdi>{list.name}</bdi>
                  <small>{t('count.items', { count: list.itemCount })}</small>
                </button>
              </li>
            ))}
          </ul>
        )}
      </Ready>
      <details class="panel">
        <summary>
          <Icon name="plus" />
          {t('lists.new')}
        </summary>
        <NewList made={async (list) => void (await add(list))} />
      </details>
    </Dialog>
  );
}
