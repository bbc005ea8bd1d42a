import { ApiKeys } from '../account/api-keys.tsx';
import { Identity } from '../account/identity.tsx';
import { Passkeys } from '../account/passkeys.tsx';
import { PasswordForm } from '../account/password.tsx';
import { PluginForms } from '../account/plugin-forms.tsx';
import { Sessions } from '../account/sessions.tsx';
import { t } from '../core/messages.ts';
import { isUser, viewer } from '../core/session.ts';
import { signOut } from '../downloads/sign-out.ts';
import { Icon } from '../ui/icon.tsx';
import { attempt } from '../ui/toast.tsx';
import { useTitle } from '../ui/title.ts';

/** One's own account: password, passkeys, keys, identity, and where one is signed in. */
export default function Account() {
  useTitle(t('nav.account'));
  const user = viewer.value?.user;
  if (user === undefined) return null;
  return (
    <div class="page me-page">
      <header class="page-header">
        <h1>
          <bdi>{user.name}</bdi>
        </h1>
        <small>{t(`account.role.${user.role}`)}</small>
        <button type="button" class="button me-ways" onClick={() => void attempt(signOut)}>
          <Icon name="signOut" />
          {t('action.signOut')}
        </button>
      </header>
      <section class="settings" aria-labelledby="account-passkeys">
        <h2 id="account-passkeys">{t('account.passkeys')}</h2>
        <Passkeys />
      </section>
      <section class="settings" aria-labelledby="account-password">
        <h2 id="account-password">{t('account.password')}</h2>
        <PasswordForm />
      </section>
      <section class="settings" aria-labelledby="account-sessions">
        <h2 id="account-sessions">{t('account.sessions')}</h2>
        <Sessions />
      </section>
      {isUser.value && <PluginForms />}
      <Identity />
      {isUser.value && (
        <section class="settings" aria-labelledby="account-keys">
          <h2 id="account-keys">{t('account.apiKeys')}</h2>
          <ApiKeys />
        </section>
      )}
    </div>
  );
}
