import { call } from '../core/api.ts';
import { t } from '../core/messages.ts';
import { invalidate } from '../core/resource.ts';
import { viewer } from '../core/session.ts';
import { SendForm } from '../ui/send-form.tsx';
import { attempt } from '../ui/toast.tsx';

/** The present password, which confirms an act. People without one signed in with a passkey. */
export const CurrentPassword = ({ hint }: { readonly hint?: string }) =>
  viewer.value?.user.hasPassword === true ? (
    <label>
      {t('account.currentPassword')}
      <input
        name="currentPassword"
        type="password"
        required
        maxLength={1000}
        autocomplete="current-password"
      />
      {hint !== undefined && <small>{hint}</small>}
    </label>
  ) : null;

/** A password as it was typed, with its spaces. */
export function passwordOf(form: HTMLFormElement, name = 'currentPassword'): string {
  const value = new FormData(form).get(name);
  return typeof value === 'string' ? value : '';
}

/** Changes the password. */
export function PasswordForm() {
  async function change(form: HTMLFormElement): Promise<void> {
    const currentPassword = passwordOf(form);
    const body = {
      newPassword: passwordOf(form, 'newPassword'),
      endApiKeys: new FormData(form).has('endApiKeys'),
      ...(currentPassword !== '' && { currentPassword }),
    };
    const isDone = await attempt(
      () => call('post', '/api/auth/password', { body }),
      t('account.passwordChanged'),
    );
    if (!isDone) return;
    form.reset();
    invalidate((topic) => topic === 'account');
  }
  return (
    <SendForm send={change} action={t('account.changePassword')}>
      <CurrentPassword />
      <label>
        {t('account.newPassword')}
        <input
          name="newPassword"
          type="password"
          required
          minLength={10}
          maxLength={1000}
          autocomplete="new-password"
        />
        <small>{t('account.passwordHint')}</small>
      </label>
      <label class="check">
        <input type="checkbox" name="endApiKeys" />
        {t('account.endApiKeys')}
      </label>
    </SendForm>
  );
}
