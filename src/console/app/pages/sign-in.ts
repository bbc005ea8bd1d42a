import { get, openSession, Refusal } from '../api.ts';
import { el, fill } from '../../../../packages/page-kit/index.ts';
import { actionButton, form } from '../form.ts';
import { askPasskey, canOfferPasskeys, canUsePasskeys } from '../passkeys.ts';

/** Sign-in with name and password, or a passkey. */
export async function signInPage(place: HTMLElement): Promise<void> {
  document.title = 'Sign in · Vitrine';
  if ((await get<{ isNeeded: boolean }>('/api/setup')).isNeeded) {
    notSetUp(place);
    return;
  }
  const offer = new AbortController();
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
            attributes: { autocomplete: 'username webauthn', maxlength: 100, autofocus: true },
          },
          {
            name: 'password',
            label: 'Password',
            attributes: { type: 'password', autocomplete: 'current-password', maxlength: 1000 },
          },
        ],
        submit: 'Sign in',
        send: async ({ name, password }) => {
          offer.abort();
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
            offer.abort();
            await openSession('/api/auth/login/passkey', { passkey: await askPasskey() });
            goOn();
          }),
        ),
      el('p', {}, el('a', { class: 'button', href: '/pair' }, 'Sign in by another device')),
    ),
  );
  void offerPasskeys(offer.signal);
}

/** Nobody can sign in to a server without users: says how to make the first one. */
function notSetUp(place: HTMLElement): void {
  fill(
    place,
    el('h1', {}, 'This server is not set up yet'),
    el(
      'p',
      {},
      'It has no users. Open the link that the server printed when it started: it ends in #token=… and makes the first admin.',
    ),
  );
}

/** Offers the passkeys of this device in the list of the field for the name. */
async function offerPasskeys(signal: AbortSignal): Promise<void> {
  try {
    if (!(await canOfferPasskeys())) return;
    const passkey = await askPasskey({ mediation: 'conditional', signal });
    await openSession('/api/auth/login/passkey', { passkey });
    goOn();
  } catch {
    // The person chose another way, or the offer became too old; the button is still there.
  }
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
