import { useSignal } from '@preact/signals';
import { call, type Resources } from '../../../core/api.ts';
import { base64Of } from '../../../core/file-text.ts';
import { t } from '../../../core/messages.ts';
import { invalidate } from '../../../core/resource.ts';
import { go } from '../../../core/router.ts';
import { Button } from '../../../ui/button.tsx';
import { Dialog } from '../../../ui/dialog.tsx';
import { Opener } from '../../../ui/opener.tsx';
import { Problem } from '../../../ui/states.tsx';
import { attempt } from '../../../ui/toast.tsx';
import { ConsentForm, type Granted } from './consent.tsx';

/** The largest package that the server takes. */
const mostBytes = 10 * 1024 * 1024;

interface Chosen {
  readonly file: string;
  readonly found: Resources['PluginPackage'];
}

/** Installs a plugin from a package file: choose it, read what it asks, allow or leave. */
export const UploadPlugin = () => (
  <Opener icon="download" action={t('upload.title')}>
    {(close) => <UploadSheet close={close} />}
  </Opener>
);

function UploadSheet({ close }: { readonly close: () => void }) {
  const chosen = useSignal<Chosen | null>(null);
  const problem = useSignal<unknown>(undefined);
  const isTooLarge = useSignal(false);
  const isBusy = useSignal(false);
  async function look(picked: File | undefined): Promise<void> {
    [chosen.value, problem.value] = [null, undefined];
    isTooLarge.value = (picked?.size ?? 0) > mostBytes;
    if (picked === undefined || isTooLarge.value) return;
    isBusy.value = true;
    try {
      const file = await base64Of(picked);
      chosen.value = {
        file,
        found: await call('post', '/api/plugins/packages/look', { body: { file } }),
      };
    } catch (error) {
      problem.value = error;
    }
    isBusy.value = false;
  }
  return (
    <Dialog title={t('upload.title')} onClose={close}>
      <form class="form">
        <label>
          {t('upload.file')}
          <input
            type="file"
            accept=".vplugin"
            disabled={isBusy.value}
            onChange={({ currentTarget }) => void look(currentTarget.files?.[0])}
          />
          <small>{t('upload.hint')}</small>
        </label>
      </form>
      {isBusy.value && <p role="status">{t('upload.checking')}</p>}
      {isTooLarge.value && (
        <p class="warn" role="alert">
          {t('upload.tooLarge')}
        </p>
      )}
      {problem.value !== undefined && <Problem error={problem.value} />}
      {chosen.value !== null && <Found key={chosen.value.file} {...chosen.value} close={close} />}
    </Dialog>
  );
}

/** What the package holds, and the decision about it. */
function Found({ file, found, close }: Chosen & { readonly close: () => void }) {
  const { id, name, version, author, license, description, replaces, permissions } = found;
  async function install(granted: Granted): Promise<void> {
    const isDone = await attempt(
      () => call('post', '/api/plugins/packages', { body: { file, ...granted } }),
      t('upload.installed', { name, version }),
    );
    if (!isDone) return;
    invalidate((topic) => topic === 'plugin' || topic === 'marketplace');
    close();
    await go(`/admin/plugins/${id}`);
  }
  return (
    <>
      <h3>
        <bdi>{name}</bdi> {version}
      </h3>
      <p>
        <q>
          <bdi>{description}</bdi>
        </q>
      </p>
      <p class="facts">
        <bdi>{[author, license].join(' · ')}</bdi>
      </p>
      <p class={found.isKnown ? 'fine' : 'warn'}>
        {t(found.isKnown ? 'upload.known' : 'upload.unknown')}
      </p>
      <p>
        <code class="quoted">{found.publisherKey}</code>
      </p>
      {replaces !== null && <p>{t('upload.replaces', { version: replaces })}</p>}
      {found.asksMore.length > 0 && (
        <ul class="asks difference" aria-label={t('versions.asksNew')}>
          {found.asksMore.map((one) => (
            <li key={one} class="more">
              <small>{t('versions.asksNew')}</small> {one}
            </li>
          ))}
        </ul>
      )}
      <ConsentForm
        permissions={permissions}
        title={t('consent.asks')}
        action={t('upload.install')}
        allow={install}
      />
      <p class="buttons">
        <Button onClick={close}>{t('upload.leave')}</Button>
      </p>
    </>
  );
}
