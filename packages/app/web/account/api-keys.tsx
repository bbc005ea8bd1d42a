import { useSignal } from '@preact/signals';
import { call, type Resources } from '../core/api.ts';
import { t } from '../core/messages.ts';
import { invalidate, useResource } from '../core/resource.ts';
import { viewer } from '../core/session.ts';
import { Button } from '../ui/button.tsx';
import { confirm, Dialog } from '../ui/dialog.tsx';
import { textOf } from '../ui/form-text.ts';
import { SendForm } from '../ui/send-form.tsx';
import { Ready } from '../ui/states.tsx';
import { attempt } from '../ui/toast.tsx';
import { timeOf } from './time-of.ts';

type ApiKey = Resources['ApiKey'];

const again = (): void => invalidate((topic) => topic === 'api-keys');

/** The person's keys for scripts and players. A new one is shown once. */
export function ApiKeys() {
  const made = useSignal<string | null>(null);
  const keys = useResource('api-keys', ['api-keys', 'account', 'credentials'], () =>
    call('get', '/api/api-keys'),
  );
  const userId = viewer.value?.user.id;
  return (
    <>
      <p>{t('account.apiKeyText')}</p>
      <Ready of={keys}>
        {({ apiKeys }) => (
          <ul class="lines">
            {apiKeys
              .filter((key) => key.userId === userId)
              .map((key) => (
                <Line key={key.id} apiKey={key} />
              ))}
          </ul>
        )}
      </Ready>
      <NewKey show={(token) => (made.value = token)} />
      {made.value !== null && (
        <Dialog title={t('account.newApiKey')} onClose={() => (made.value = null)}>
          <p>{t('account.apiKeyOnce')}</p>
          <p>
            <code class="secret">{made.value}</code>
          </p>
        </Dialog>
      )}
    </>
  );
}

function Line({ apiKey: { id, name, scopes, lastUsedAt } }: { readonly apiKey: ApiKey }) {
  async function remove(): Promise<void> {
    const text = t('account.removeApiKeyText', { name });
    const action = t('account.remove');
    if (!(await confirm({ title: t('account.removeApiKey'), text, action }))) return;
    await attempt(
      async () => {
        await call('delete', '/api/api-keys/{id}', { path: { id } });
        again();
      },
      t('account.removed', { name }),
    );
  }
  return (
    <li>
      <span class="two-lines">
        <bdi>{name}</bdi>
        <small>
          {scopes !== null && `${t('account.limited')} · `}
          {lastUsedAt === null
            ? t('account.neverUsed')
            : t('account.lastUsed', { time: timeOf(lastUsedAt) })}
        </small>
      </span>
      <Button kind="danger" label={t('action.removeName', { name })} act={remove}>
        {t('account.remove')}
      </Button>
    </li>
  );
}

function NewKey({ show }: { readonly show: (token: string) => void }) {
  async function make(form: HTMLFormElement): Promise<void> {
    const isReading = new FormData(form).has('readOnly');
    const body = { name: textOf(form, 'name'), ...(isReading && { scopes: ['read-only'] }) };
    await attempt(async () => {
      const { token } = await call('post', '/api/api-keys', { body });
      form.reset();
      again();
      show(token);
    });
  }
  return (
    <SendForm send={make} action={t('account.makeApiKey')} isPlain>
      <label>
        {t('account.apiKeyName')}
        <input name="name" required maxLength={100} autocomplete="off" />
      </label>
      <label class="check">
        <input type="checkbox" name="readOnly" />
        {t('account.readOnly')}
      </label>
    </SendForm>
  );
}
