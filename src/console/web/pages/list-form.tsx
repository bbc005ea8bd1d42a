import { useSignal } from '@preact/signals';
import { t } from '../core/messages.ts';
import { textOf } from '../ui/form-text.ts';
import { makeList, type List } from './list-data.ts';
import { attempt } from '../ui/toast.tsx';

/** The form of a new list. */
export function NewList({ made }: { readonly made: (list: List) => Promise<void> }) {
  const isBusy = useSignal(false);
  async function make(form: HTMLFormElement): Promise<void> {
    isBusy.value = true;
    const kind = textOf(form, 'kind') === 'collection' ? 'collection' : 'playlist';
    await attempt(async () => made(await makeList(textOf(form, 'name'), kind)));
    isBusy.value = false;
  }
  return (
    <form
      class="form"
      onSubmit={(event) => {
        event.preventDefault();
        void make(event.currentTarget);
      }}
    >
      <label>
        {t('lists.name')}
        <input name="name" required maxLength={200} autocomplete="off" />
      </label>
      <label>
        {t('lists.kind')}
        <select name="kind">
          <option value="playlist">{t('lists.kind.playlist')}</option>
          <option value="collection">{t('lists.kind.collection')}</option>
        </select>
        <small>{t('lists.kindHint')}</small>
      </label>
      <button type="submit" class="button primary" disabled={isBusy.value}>
        {t('lists.make')}
      </button>
    </form>
  );
}
