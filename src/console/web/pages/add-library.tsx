import { useSignal } from '@preact/signals';
import { call } from '../core/api.ts';
import { t } from '../core/messages.ts';
import { go } from '../core/router.ts';
import { invalidate } from '../core/resource.ts';
import { Icon } from '../ui/icon.tsx';
import { attempt } from '../ui/toast.tsx';

const types = ['movies', 'tv', 'music', 'audiobooks', 'books', 'photos'] as const;

/** The form that adds a library and starts its first scan. */
export function AddLibrary() {
  const isBusy = useSignal(false);
  async function add(form: HTMLFormElement): Promise<void> {
    const given = new FormData(form);
    const text = (name: string): string => {
      const value = given.get(name);
      return typeof value === 'string' ? value.trim() : '';
    };
    isBusy.value = true;
    await attempt(async () => {
      const { library } = await call('post', '/api/libraries', {
        body: { name: text('name'), type: text('type'), roots: [text('folder')] },
      });
      invalidate((topic) => topic === 'library');
      await go(`/libraries/${library.id}`);
    }, t('library.added'));
    isBusy.value = false;
  }
  return (
    <details class="panel">
      <summary>
        <Icon name="plus" />
        {t('library.add')}
      </summary>
      <form
        class="form"
        onSubmit={(event) => {
          event.preventDefault();
          void add(event.currentTarget);
        }}
      >
        <label>
          {t('library.name')}
          <input name="name" required maxLength={200} autocomplete="off" />
        </label>
        <label>
          {t('library.kind')}
          <select name="type">
            {types.map((type) => (
              <option key={type} value={type}>
                {t(`library.type.${type}`)}
              </option>
            ))}
          </select>
        </label>
        <label>
          {t('library.folder')}
          <input name="folder" required maxLength={2000} autocomplete="off" spellcheck={false} />
          <small>{t('library.folderHint')}</small>
        </label>
        <button type="submit" class="button primary" disabled={isBusy.value}>
          {t('library.addAndScan')}
        </button>
      </form>
    </details>
  );
}
