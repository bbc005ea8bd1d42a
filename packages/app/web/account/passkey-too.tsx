import { call } from '../core/api.ts';
import { t } from '../core/messages.ts';
import { viewer } from '../core/session.ts';
import { SendForm } from '../ui/send-form.tsx';
import { attempt } from '../ui/toast.tsx';
import { CurrentPassword, passwordOf } from './password.tsx';

/** Whether the password of the person alone is enough to sign in; nothing for people without a password. */
export function PasskeyToo() {
  const me = viewer.value;
  if (me?.user.hasPassword !== true) return null;
  const { requiresPasskey } = me.user;
  async function choose(form: HTMLFormElement): Promise<void> {
    const password = passwordOf(form);
    await attempt(async () => {
      const body = { requiresPasskey: !requiresPasskey, password };
      const { user } = await call('patch', '/api/auth/me', { body });
      if (viewer.value !== null) viewer.value = { ...viewer.value, user };
      form.reset();
    }, t('state.saved'));
  }
  return (
    <SendForm
      send={choose}
      action={t(requiresPasskey ? 'account.passwordAlone' : 'account.passkeyToo')}
      isPlain
    >
      <p>{t(requiresPasskey ? 'account.passkeyTooOn' : 'account.passkeyTooOff')}</p>
      <CurrentPassword />
    </SendForm>
  );
}
