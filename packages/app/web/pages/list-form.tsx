import { t } from '../core/messages.ts';
import { textOf } from '../ui/form-text.ts';
import { makeList, type List } from './list-data.ts';
import { SendForm } from '../ui/send-form.tsx';
import { attempt } from '../ui/toast.tsx';

export function NewList({ made }: { readonly made: (list: List) => Promise<void> }) {
  async function make(form: HTMLFormElement): Promise<void> {
    const kind = textOf(form, 'kind') === 'collection' ? 'collection' : 'playlist';
    await attempt(async () => made(await makeList(textOf(form, 'name'), kind)));
  }
  return (
    <SendForm send={make} action={t('lists.make')}>
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
    </SendForm>
  );
}
