import { call, Refusal, type Resources } from '../../../core/api.ts';
import { t } from '../../../core/messages.ts';
import { invalidate } from '../../../core/resource.ts';
import { IconButton } from '../../../ui/button.tsx';
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
  const { id, roots, links, watch } = library;
  const change = (body: Folders): Promise<boolean> =>
    attempt(async () => {
      await call('patch', '/api/libraries/{id}', { path: { id }, body });
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
    if (isWanted) await change({ roots: roots.filter((root) => root !== uri) });
  }
  async function allow(root: string, folder: string): Promise<void> {
    const isWanted = await confirm({
      title: t('admin.library.addLinkFolder'),
      text: t('admin.library.allowLinkFolderQuestion', { root: pathOf(root), folder }),
      action: t('admin.library.allowLinkFolder'),
    });
    if (isWanted) await change({ links: [...links, { root, folder }] });
  }
  return (
    <section>
      <h2>{t('admin.library.folders')}</h2>
      <ul class="lines">
        {roots.map((uri) => (
          <li key={uri}>
            <Folder uri={uri} remove={roots.length > 1 ? () => void remove(uri) : undefined} />
          </li>
        ))}
      </ul>
      <div class="buttons">
        <Opener icon="plus" action={t('admin.library.addFolder')}>
          {(close) => (
            <FolderPicker
              from={parentOf(pathOf(roots[0] ?? '/'))}
              choose={(path) => void change({ roots: [...roots, path] })}
              close={close}
            />
          )}
        </Opener>
      </div>
      {roots.map((root) => (
        <LinkFolders
          key={root}
          root={root}
          folders={links.filter((link) => link.root === root).map(({ folder }) => folder)}
          allow={(folder) => void allow(root, folder)}
          forbid={(folder) =>
            void change({
              links: links.filter((link) => link.root !== root || link.folder !== folder),
            })
          }
        />
      ))}
    </section>
  );
}

interface Folders {
  readonly roots?: string[];
  readonly links?: Resources['Library']['links'];
}

interface LinkFoldersProps {
  readonly root: string;
  readonly folders: readonly string[];
  readonly allow: (path: string) => void;
  readonly forbid: (uri: string) => void;
}

/** The folders outside of the library to which links below one of its roots may lead. */
function LinkFolders({ root, folders, allow, forbid }: LinkFoldersProps) {
  if (!root.startsWith('file:')) return null;
  const path = pathOf(root);
  return (
    <>
      {folders.length > 0 && <h3>{t('admin.library.linkFolderOf', { path })}</h3>}
      <ul class="lines">
        {folders.map((uri) => (
          <li key={uri}>
            <Folder uri={uri} remove={() => forbid(uri)} />
          </li>
        ))}
      </ul>
      <div class="buttons">
        <Opener
          icon="plus"
          action={t('admin.library.addLinkFolder')}
          label={t('admin.library.addLinkFolderTo', { path })}
        >
          {(close) => <FolderPicker from={parentOf(path)} choose={allow} close={close} />}
        </Opener>
      </div>
    </>
  );
}

interface FolderProps {
  readonly uri: string;
  /** Absent for a folder that must stay. */
  readonly remove: (() => void) | undefined;
}

function Folder({ uri, remove }: FolderProps) {
  return (
    <>
      <span class="with-icon">
        <Icon name="folder" />
        <code>
          <bdi>{pathOf(uri)}</bdi>
        </code>
      </span>
      {remove && (
        <IconButton
          icon="trash"
          label={t('action.removeName', { name: pathOf(uri) })}
          onClick={remove}
        />
      )}
    </>
  );
}

const parentOf = (path: string): string => path.replace(/\/[^/]*$/, '') || '/';
