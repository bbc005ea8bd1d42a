import { get, openSession, Refusal } from '../api.ts';
import { el, fill } from '../../../page-kit/index.ts';
import { actionButton, form } from '../form.ts';
import { t } from '../words.ts';
import { askPasskey, canOfferPasskeys, canUsePasskeys } from '../passkeys.ts';

/** Sign-in with name and password, or a passkey. */
export async function signInPage(place: HTMLElement): Promise<void> {
  document.title = `${t('signIn.title')} · Vitrine`;
  if ((await get<{ isNeeded: boolean }>('/api/setup')).isNeeded) {
    notSetUp(place);
    return;
  }
  const offer = new AbortController();
  fill(
    place,
    el('h1', {}, t('signIn.title')),
    el(
      'div',
      { class: 'card' },
      form({
        name: 'sign-in',
        fields: [
          {
            name: 'name',
            label: t('field.name'),
            attributes: { autocomplete: 'username webauthn', maxlength: 100, autofocus: true },
          },
          {
            name: 'password',
            label: t('field.password'),
            attributes: { type: 'password', autocomplete: 'current-password', maxlength: 1000 },
          },
        ],
        submit: t('signIn.title'),
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
          t('signIn.or'),
          actionButton(t('signIn.passkey'), async () => {
            offer.abort();
            await openSession('/api/auth/login/passkey', { passkey: await askPasskey() });
            goOn();
          }),
        ),
      el('p', { class: 'other-way' }, el('a', { class: 'button', href: '/pair' }, t('pair.title'))),
    ),
  );
  void offerPasskeys(offer.signal);
}

/** Nobody can sign in to a server without users: says how to make the first one. */
function notSetUp(place: HTMLElement): void {
  fill(place, el('h1', {}, t('signIn.notSetUp')), el('p', {}, t('signIn.noUsers')));
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
