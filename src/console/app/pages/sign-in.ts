import { openSession, Refusal } from '../api.ts';
import { el, fill } from '../../../../packages/page-kit/index.ts';
import { actionButton, form } from '../form.ts';
import { askPasskey, canUsePasskeys } from '../passkeys.ts';

/** Sign-in with name and password, or a passkey. */
export async function signInPage(place: HTMLElement): Promise<void> {
  document.title = 'Sign in · Vitrine';
  fill(
    place,
    el('h1', {}, 'Sign in'),
    el(
      'div',
      { class: 'card' },
      form({
        name: 'sign-in',
        fields: [
          {
            name: 'name',
            label: 'Name',
            attributes: { autocomplete: 'username', maxlength: 100, autofocus: true },
          },
          {
            name: 'password',
            label: 'Password',
            attributes: { type: 'password', autocomplete: 'current-password', maxlength: 1000 },
          },
        ],
        submit: 'Sign in',
        send: async ({ name, password }) => {
          await signIn({ name, password });
          goOn();
        },
      }),
      canUsePasskeys() &&
        el(
          'p',
          {},
          'or ',
          actionButton('Use a passkey', async () => {
            await openSession('/api/auth/login/passkey', { passkey: await askPasskey() });
            goOn();
          }),
        ),
    ),
  );
}

/** Signs in; asks for a passkey when the server requires one after the password. */
async function signIn(attempt: object): Promise<void> {
  try {
    await openSession('/api/auth/login', attempt);
  } catch (error) {
    if (!(error instanceof Refusal) || error.code !== 'passkey_required') throw error;
    await openSession('/api/auth/login', { ...attempt, passkey: await askPasskey() });
  }
}

/** Returns to the requested page, only on this server. */
function goOn(): void {
  const to = new URLSearchParams(location.search).get('to') ?? '/';
  location.replace(new URL(to, location.origin).origin === location.origin ? to : '/');
}
