import { call, type Resources } from '../../core/api.ts';
import { t } from '../../core/messages.ts';
import { invalidate, preload, useResource } from '../../core/resource.ts';
import { Button, IconButton } from '../../ui/button.tsx';
import { confirm } from '../../ui/dialog.tsx';
import { textOf } from '../../ui/form-text.ts';
import { Icon } from '../../ui/icon.tsx';
import { SendForm } from '../../ui/send-form.tsx';
import { Empty, Ready } from '../../ui/states.tsx';
import { attempt } from '../../ui/toast.tsx';
import { momentOf, sizeOf } from '../../ui/words.ts';
import { AdminPage } from './frame.tsx';

type Backup = Resources['Backup'];

const [key, topics] = ['admin:backups', ['backup']];
const load = () => call('get', '/api/backups', { query: { limit: 200 } });
const changed = (): void => invalidate((topic) => topic === 'backup');

/** Reads the backups before the page is shown. */
export const prepare = (): Promise<void> => preload(key, topics, load);

/** The backups of the server: make, download, restore, delete. */
export default function BackupsPage() {
  const backups = useResource(key, topics, load);
  return (
    <AdminPage title={t('admin.backups')}>
      <NewBackup />
      <Ready of={backups}>
        {({ backups: all }) =>
          all.length === 0 ? (
            <Empty title={t('backups.none')} />
          ) : (
            <ul class="lines">
              {all.map((backup) => (
                <BackupLine key={backup.filename} backup={backup} />
              ))}
            </ul>
          )
        }
      </Ready>
    </AdminPage>
  );
}

function NewBackup() {
  async function make(form: HTMLFormElement): Promise<void> {
    const label = textOf(form, 'label');
    const keys = new FormData(form).has('keys');
    const isDone = await attempt(async () => {
      await call('post', '/api/backups', { body: { keys, ...(label !== '' && { label }) } });
      changed();
    }, t('backups.made'));
    if (isDone) form.reset();
  }
  return (
    <SendForm
      send={make}
      icon={<Icon name="database" size={16} />}
      action={t('backups.make')}
      actionNow={t('backups.making')}
    >
      <label>
        {t('backups.label')}
        <input name="label" maxLength={100} autocomplete="off" />
      </label>
      <label class="check">
        <input type="checkbox" name="keys" />
        <span>
          {t('backups.keys')}
          <small>{t('backups.keysHint')}</small>
        </span>
      </label>
    </SendForm>
  );
}

function BackupLine({ backup: { filename, sizeBytes, createdAt } }: { readonly backup: Backup }) {
  const date = momentOf(createdAt);
  const path = { filename };
  async function restore(): Promise<void> {
    const yes = await confirm({
      title: t('backups.restoreTitle', { date }),
      text: t('backups.restoreText'),
      action: t('backups.restore'),
    });
    if (!yes) return;
    await attempt(
      () => call('post', '/api/backups/{filename}/restore', { path }),
      t('backups.restoring'),
    );
  }
  async function remove(): Promise<void> {
    const title = t('action.removeName', { name: filename });
    if (!(await confirm({ title, text: t('backups.removeText'), action: t('account.remove') })))
      return;
    await attempt(async () => {
      await call('delete', '/api/backups/{filename}', { path });
      changed();
    });
  }
  return (
    <li>
      <span>
        <strong>{date}</strong>
        <small>
          <bdi>{filename}</bdi> · {sizeOf(sizeBytes)}
        </small>
      </span>
      <a
        class="icon-button"
        href={`/api/backups/${encodeURIComponent(filename)}`}
        download={filename}
        aria-label={t('action.downloadTitle', { title: filename })}
      >
        <Icon name="download" />
      </a>
      <Button label={t('backups.restoreTitle', { date })} act={restore}>
        {t('backups.restore')}
      </Button>
      <IconButton icon="trash" label={t('action.removeName', { name: filename })} act={remove} />
    </li>
  );
}
