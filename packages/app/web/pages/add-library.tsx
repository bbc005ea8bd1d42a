import { useSignal } from '@preact/signals';
import { call } from '../core/api.ts';
import { t } from '../core/messages.ts';
import { go } from '../core/router.ts';
import { invalidate } from '../core/resource.ts';
import { Button } from '../ui/button.tsx';
import { Icon } from '../ui/icon.tsx';
import { SendForm } from '../ui/send-form.tsx';
import { attempt } from '../ui/toast.tsx';
import { FolderPicker } from './folder-picker.tsx';

const types = ['movies', 'tv', 'music', 'audiobooks', 'books', 'photos'] as const;

/** The form that adds a library and starts its first scan. `isOpen`: it is shown at once. */
export function AddLibrary({ isOpen }: { readonly isOpen: boolean }) {
  const isChoosing = useSignal(false);
  const folder = useSignal('');
  async function add(form: HTMLFormElement): Promise<void> {
    const given = new FormData(form);
    const text = (name: string): string => {
      const value = given.get(name);
      return typeof value === 'string' ? value.trim() : '';
    };
    await attempt(async () => {
      const { library } = await call('post', '/api/libraries', {
        body: { name: text('name'), type: text('type'), roots: [text('folder')] },
      });
      invalidate((topic) => topic === 'library');
      await go(`/libraries/${library.id}`);
    }, t('library.added'));
  }
  return (
    <details class="panel" open={isOpen}>
      <summary>
        <Icon name="plus" />
        {t('library.add')}
      </summary>
      <SendForm send={add} action={t('library.addAndScan')}>
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
        <div class="with-button">
          <label>
            {t('library.folder')}
            <input
              name="folder"
              required
              maxLength={2000}
              autocomplete="off"
              spellcheck={false}
              value={folder.value}
              onInput={({ currentTarget }) => (folder.value = currentTarget.value)}
            />
            <small>{t('library.folderHint')}</small>
          </label>
          <Button act={() => (isChoosing.value = true)}>
            <Icon name="folder" />
            {t('folder.choose')}
          </Button>
        </div>
      </SendForm>
      {isChoosing.value && (
        <FolderPicker
          from={folder.value}
          choose={(path) => (folder.value = path)}
          close={() => (isChoosing.value = false)}
        />
      )}
    </details>
  );
}
