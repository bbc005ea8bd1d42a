import { call } from '../core/api.ts';
import { t } from '../core/messages.ts';
import { invalidate } from '../core/resource.ts';
import { textOf } from '../ui/form-text.ts';
import { SendForm } from '../ui/send-form.tsx';
import { attempt } from '../ui/toast.tsx';
import type { List } from './list-data.ts';

const orders = ['manual', 'title', 'year', 'addedAt'] as const;

/** The name, the description and the order of a list. */
export function ListSettings({ list, close }: { readonly list: List; readonly close: () => void }) {
  const { id, kind, name, description, sortBy } = list;
  async function save(form: HTMLFormElement): Promise<void> {
    const about = textOf(form, 'description');
    const order = orders.find((one) => one === textOf(form, 'sortBy'));
    const body = {
      name: textOf(form, 'name'),
      description: about === '' ? null : about,
      ...(order !== undefined && { sortBy: order }),
    };
    const isDone = await attempt(async () => {
      await call('patch', '/api/collections/{id}', { path: { id }, body });
      invalidate((topic) => topic === 'collection' || topic === `collection:${id}`);
    }, t('state.saved'));
    if (isDone) close();
  }
  return (
    <SendForm send={save} action={t('action.save')}>
      <label>
        {t('lists.name')}
        <input name="name" required maxLength={200} autocomplete="off" defaultValue={name} />
      </label>
      <label>
        {t('lists.description')}
        <textarea name="description" maxLength={2000} rows={3} defaultValue={description ?? ''} />
      </label>
      {kind === 'collection' && (
        <label>
          {t('sort.label')}
          <select name="sortBy" defaultValue={sortBy}>
            {orders.map((order) => (
              <option key={order} value={order} selected={order === sortBy}>
                {t(`lists.order.${order}`)}
              </option>
            ))}
          </select>
        </label>
      )}
    </SendForm>
  );
}
