import { useSignal } from '@preact/signals';
import { call, type Resources } from '../core/api.ts';
import { t } from '../core/messages.ts';
import { invalidate, useResource } from '../core/resource.ts';
import { confirm, Dialog } from '../ui/dialog.tsx';
import { textOf } from '../ui/form-text.ts';
import { SendForm } from '../ui/send-form.tsx';
import { Ready } from '../ui/states.tsx';
import { attempt } from '../ui/toast.tsx';
import { PasskeyToo } from './passkey-too.tsx';
import { canMakePasskeys, isAtHostName, makePasskey } from '../core/passkeys.ts';
import { Button } from '../ui/button.tsx';
import { CurrentPassword, passwordOf } from './password.tsx';
import { timeOf } from './time-of.ts';

const again = (): void => invalidate((topic) => topic === 'passkeys');

/** The passkeys of the person. */
export function Passkeys() {
  const passkeys = useResource('passkeys', ['passkeys', 'account', 'credentials'], () =>
    call('get', '/api/auth/passkeys'),
  );
  return (
    <>
      <Ready of={passkeys}>
        {({ passkeys: all }) => (
          <>
            {all.length === 0 && <p>{t('account.passkeyText')}</p>}
            <ul class="lines">
              {all.map((passkey) => (
                <Line key={passkey.id} passkey={passkey} />
              ))}
            </ul>
            {all.length > 0 && <PasskeyToo />}
          </>
        )}
      </Ready>
      {canMakePasskeys() ? (
        <NewPasskey />
      ) : (
        <p>{t(isAtHostName() ? 'account.noPasskeys' : 'account.passkeysNeedName')}</p>
      )}
    </>
  );
}

function Line({ passkey: { id, name, lastUsedAt } }: { readonly passkey: Resources['Passkey'] }) {
  async function remove(): Promise<void> {
    const text = t('account.removePasskeyText', { name });
    const action = t('account.remove');
    if (!(await confirm({ title: t('account.removePasskey'), text, action }))) return;
    await attempt(
      async () => {
        await call('delete', '/api/auth/passkeys/{id}', { path: { id } });
        again();
      },
      t('account.removed', { name }),
    );
  }
  const isRenaming = useSignal(false);
  return (
    <li>
      <span>
        <bdi>{name}</bdi>{' '}
        <small>
          {lastUsedAt === null
            ? t('account.neverUsed')
            : t('account.lastUsed', { time: timeOf(lastUsedAt) })}
        </small>
      </span>
      <Button label={t('account.renameName', { name })} act={() => (isRenaming.value = true)}>
        {t('action.rename')}
      </Button>
      {isRenaming.value && (
        <Dialog
          title={t('account.renameName', { name })}
          onClose={() => (isRenaming.value = false)}
        >
          <NewName {...{ id, name }} close={() => (isRenaming.value = false)} />
        </Dialog>
      )}
      <Button kind="danger" label={t('action.removeName', { name })} act={remove}>
        {t('account.remove')}
      </Button>
    </li>
  );
}

interface NewNameProps {
  readonly id: string;
  readonly name: string;
  readonly close: () => void;
}

function NewName({ id, name, close }: NewNameProps) {
  async function rename(form: HTMLFormElement): Promise<void> {
    const isDone = await attempt(async () => {
      const body = { name: textOf(form, 'name') };
      await call('patch', '/api/auth/passkeys/{id}', { path: { id }, body });
      again();
    });
    if (isDone) close();
  }
  return (
    <SendForm send={rename} action={t('action.save')}>
      <label>
        {t('account.newName')}
        <input name="name" required maxLength={100} autocomplete="off" defaultValue={name} />
      </label>
    </SendForm>
  );
}

function NewPasskey() {
  async function make(form: HTMLFormElement): Promise<void> {
    const isDone = await attempt(async () => {
      await makePasskey(textOf(form, 'name'), passwordOf(form));
      again();
    }, t('account.passkeyMade'));
    if (isDone) form.reset();
  }
  return (
    <SendForm send={make} action={t('account.makePasskey')} isPlain>
      <label>
        {t('account.passkeyName')}
        <input name="name" required maxLength={100} autocomplete="off" />
        <small>{t('account.passkeyNameHint')}</small>
      </label>
      <CurrentPassword />
    </SendForm>
  );
}
