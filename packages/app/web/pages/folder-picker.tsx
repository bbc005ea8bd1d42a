import { useSignal } from '@preact/signals';
import { call } from '../core/api.ts';
import { t } from '../core/messages.ts';
import { useResource } from '../core/resource.ts';
import { Button } from '../ui/button.tsx';
import { Icon } from '../ui/icon.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { Problem, Ready } from '../ui/states.tsx';

interface FolderPickerProps {
  /** The folder at which it begins. */
  readonly from: string;
  readonly choose: (path: string) => void;
  readonly close: () => void;
}

/** Walks through the folders of the server, and gives the one that was chosen. */
export function FolderPicker({ from, choose, close }: FolderPickerProps) {
  const path = useSignal(from.startsWith('/') ? from : '/');
  return (
    <Dialog title={t('folder.title')} onClose={close}>
      <FolderView key={path.value} path={path.value} open={(next) => (path.value = next)} />
      <p class="buttons dialog-buttons">
        <Button onClick={close}>{t('action.cancel')}</Button>
        <Button
          kind="primary"
          act={() => {
            choose(path.value);
            close();
          }}
        >
          {t('folder.use')}
        </Button>
      </p>
    </Dialog>
  );
}

function FolderView({
  path,
  open,
}: {
  readonly path: string;
  readonly open: (path: string) => void;
}) {
  const page = useResource(`folders:${path}`, [], () =>
    call('get', '/api/folders', { query: { path } }),
  );
  if (page.value.error !== undefined && page.value.value === undefined)
    return (
      <>
        <Problem error={page.value.error} />
        <Button act={() => open('/')}>{t('folder.top')}</Button>
      </>
    );
  return (
    <>
      <p class="folder-path">
        <code>
          <bdi>{path}</bdi>
        </code>
      </p>
      <Ready of={page}>
        {({ parent, folders, complete }) => (
          <ul class="lines choices" aria-label={t('folder.inside', { path })}>
            {parent !== null && (
              <li>
                <button type="button" class="choice" onClick={() => open(parent)}>
                  <Icon name="up" />
                  {t('folder.up')}
                </button>
              </li>
            )}
            {folders.map(({ name, path: inner }) => (
              <li key={inner}>
                <button type="button" class="choice" onClick={() => open(inner)}>
                  <Icon name="folder" />
                  <bdi>{name}</bdi>
                </button>
              </li>
            ))}
            {folders.length === 0 && <li>{t('folder.empty')}</li>}
            {!complete && <li>{t('folder.more')}</li>}
          </ul>
        )}
      </Ready>
    </>
  );
}
