import { call, Refusal } from '../core/api.ts';
import { t } from '../core/messages.ts';
import { askPasskey, canOfferPasskeys, canUsePasskeys } from '../core/passkeys.ts';
import { ActionButton, PersonForm, type Person } from './document-form.tsx';
import { inCookie, openSession } from './session.ts';

/** Sign-in with name and password, or a passkey. */
export default async function signInPage() {
  document.title = `${t('signIn.title')} · Vitrine`;
  if ((await call('get', '/api/setup')).isNeeded) return <NotSetUp />;
  const offer = new AbortController();
  void offerPasskeys(offer.signal);
  return (
    <>
      <h1>{t('signIn.title')}</h1>
      <div class="panel">
        <PersonForm
          action={t('signIn.title')}
          send={async (person) => {
            offer.abort();
            await signIn(person);
            goOn();
          }}
        />
        {canUsePasskeys() && (
          <p>
            {t('signIn.or')}
            <ActionButton
              act={async () => {
                offer.abort();
                await signInWith(await askPasskey());
                goOn();
              }}
            >
              {t('signIn.passkey')}
            </ActionButton>
          </p>
        )}
        <p>
          <a class="button" href="/pair">
            {t('screen.title')}
          </a>
        </p>
      </div>
    </>
  );
}

/** Nobody can sign in to a server without users: says how to make the first one. */
const NotSetUp = () => (
  <>
    <h1>{t('signIn.notSetUp')}</h1>
    <p>{t('signIn.noUsers')}</p>
  </>
);

const signInWith = (passkey: Record<string, unknown>): Promise<object> =>
  openSession(call('post', '/api/auth/login/passkey', { body: { passkey }, init: inCookie }));

/** Offers the passkeys of this device in the list of the field for the name. */
async function offerPasskeys(signal: AbortSignal): Promise<void> {
  try {
    if (!(await canOfferPasskeys())) return;
    await signInWith(await askPasskey({ mediation: 'conditional', signal }));
    goOn();
  } catch {
    // The person chose another way, or the offer became too old; the button is still there.
  }
}

/** Signs in; asks for a passkey when the server requires one after the password. */
async function signIn(person: Person): Promise<void> {
  const login = (passkey?: Record<string, unknown>): Promise<object> => {
    const body = { ...person, ...(passkey !== undefined && { passkey }) };
    return openSession(call('post', '/api/auth/login', { body, init: inCookie }));
  };
  try {
    await login();
  } catch (error) {
    if (!(error instanceof Refusal) || error.code !== 'passkey_required') throw error;
    await login(await askPasskey());
  }
}

/** Returns to the requested page, only on this server. */
function goOn(): void {
  const to = new URLSearchParams(location.search).get('to') ?? '/';
  location.replace(new URL(to, location.origin).origin === location.origin ? to : '/');
}
