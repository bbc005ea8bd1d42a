import { call, Refusal, type Resources } from '../../../core/api.ts';
import { t } from '../../../core/messages.ts';
import { invalidate } from '../../../core/resource.ts';
import { confirm } from '../../../ui/dialog.tsx';
import { Icon } from '../../../ui/icon.tsx';
import { Opener } from '../../../ui/opener.tsx';
import { attempt } from '../../../ui/toast.tsx';
import { pathOf } from '../../../ui/words.ts';
import { FolderPicker } from '../../folder-picker.tsx';

/**
 * The folders of a library. A change takes effect with the scan that follows; while another scan runs,
 * the server begins it afterwards by itself.
 */
export function LibraryFolders({ library }: { readonly library: Resources['Library'] }) {
  const { id, roots, watch } = library;
  const change = (next: readonly string[]): Promise<boolean> =>
    attempt(async () => {
      await call('patch', '/api/libraries/{id}', { path: { id }, body: { roots: [...next] } });
      await call('post', '/api/jobs', { body: { type: 'scan', libraryId: id } }).catch(
        unlessScanned,
      );
      invalidate((topic) => topic === 'library' || topic === 'job');
    }, t('admin.library.foldersSaved'));
  function unlessScanned(error: unknown): void {
    if (!watch || !(error instanceof Refusal && error.code === 'job_running')) throw error;
  }
  async function remove(uri: string): Promise<void> {
    const isWanted = await confirm({
      title: t('admin.library.removeFolder'),
      text: t('admin.library.removeFolderQuestion', { path: pathOf(uri) }),
      action: t('admin.library.removeFolder'),
    });
    if (isWanted) await change(roots.filter((root) => root !== uri));
  }
  return (
    <section>
      <h2>{t('admin.library.folders')}</h2>
      <ul class="lines">
        {roots.map((uri) => (
          <li key={uri}>
            <span class="with-icon">
              <Icon name="folder" />
              <code>
                <bdi>{pathOf(uri)}</bdi>
              </code>
            </span>
            {roots.length > 1 && (
              <button
                type="button"
                class="icon-button"
                aria-label={t('action.removeName', { name: pathOf(uri) })}
                onClick={() => void remove(uri)}
              >
                <Icon name="trash" />
              </button>
            )}
          </li>
        ))}
      </ul>
      <div class="buttons">
        <Opener icon="plus" action={t('admin.library.addFolder')}>
          {(close) => (
            <FolderPicker
              from={parentOf(pathOf(roots[0] ?? '/'))}
              choose={(path) => void change([...roots, path])}
              close={close}
            />
          )}
        </Opener>
      </div>
    </section>
  );
}

const parentOf = (path: string): string => path.replace(/\/[^/]*$/, '') || '/';
