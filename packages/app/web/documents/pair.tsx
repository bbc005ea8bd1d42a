import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { call, Refusal, type Resources } from '../core/api.ts';
import { t } from '../core/messages.ts';
import { errorText } from '../ui/words.ts';
import { ActionButton, Failure } from './document-form.tsx';
import { announced } from './announced.ts';
import { qrCode } from './qr-code.ts';
import { inCookie, openSession } from './session.ts';

type Pairing = Resources['Pairing'];
type Outcome = 'accepted' | 'refused' | 'expired';

const acceptPath = '/pair/accept';
const pauseMs = 2000;
/** A screen that nobody looks at asks for no code for ever. */
const mostCodes = 6;

/** Sign-in of a device without a keyboard: a code that a person accepts on another device. */
export default async function pairPage() {
  document.title = `${t('screen.title')} · Vitrine`;
  return (await isSignedIn()) ? <AlreadyIn /> : <Codes />;
}

type Shown =
  | { readonly pairing: Pairing }
  | { readonly end: 'refused' | 'expired' }
  | { readonly error: unknown }
  | null;

function Codes() {
  const shown = useSignal<Shown>(null);
  async function showCodes(): Promise<void> {
    for (let count = 0; count < mostCodes; count += 1) {
      const { pairing } = await call('post', '/api/auth/pairings', { body: {} });
      shown.value = { pairing };
      announced.value = t('screen.codeIs', { code: Array.from(pairing.code).join(' ') });
      const outcome = await outcomeOf(pairing);
      if (outcome === 'accepted') {
        location.replace('/');
        return;
      }
      if (outcome === 'refused') {
        shown.value = { end: 'refused' };
        return;
      }
    }
    shown.value = { end: 'expired' };
  }
  useEffect(() => {
    showCodes().catch((error: unknown) => (shown.value = { error }));
  }, []);
  const now = shown.value;
  if (now === null) return null;
  if ('error' in now) return <Failure text={errorText(now.error)} />;
  return (
    <>
      <h1>{t('screen.title')}</h1>
      {'pairing' in now ? (
        <Code code={now.pairing.code} />
      ) : (
        <>
          <p role="alert">{t(`screen.${now.end}`)}</p>
          <p>
            <ActionButton act={showCodes} isPrimary>
              {t('screen.again')}
            </ActionButton>
          </p>
        </>
      )}
      <p>
        <a href="/sign-in">{t('signIn.byPassword')}</a>
      </p>
    </>
  );
}

const Code = ({ code }: { readonly code: string }) => (
  <>
    <Scannable address={`${location.origin}${acceptPath}?code=${code}`} />
    <ol>
      <li>{t('screen.take')}</li>
      <li>
        {t('screen.open')}
        <strong>{`${location.host}${acceptPath}`}</strong>
      </li>
      <li>{t('screen.type')}</li>
    </ol>
    <p class="pairing-code" aria-label={Array.from(code).join(' ')}>
      <span>{code.slice(0, 4)}</span>
      <span>{code.slice(4)}</span>
    </p>
    <p class="quiet">{t('screen.holds')}</p>
  </>
);

/** Light modules around a code, without which readers do not find it. */
const margin = 4;

/** The address with the code, for a camera; nothing if it is too long for a code of this size. */
function Scannable({ address }: { readonly address: string }) {
  const rows = qrCode(address);
  if (rows === null) return null;
  const size = rows.length + margin * 2;
  const squares = rows.flatMap((row, y) =>
    row.flatMap((isDark, x) => (isDark ? [`M${x + margin} ${y + margin}h1v1h-1z`] : [])),
  );
  return (
    <svg
      class="scannable"
      viewBox={`0 0 ${size} ${size}`}
      role="img"
      aria-label={t('screen.camera')}
    >
      <path d={squares.join('')} />
    </svg>
  );
}

/** Asks until a person has decided, or the code is too old. A server that is away is asked again. */
async function outcomeOf({ secret, expiresAt }: Pairing): Promise<Outcome> {
  const end = Date.parse(expiresAt);
  // A device whose clock is wrong learns from the server that the code is too old.
  do {
    await new Promise((resolve) => setTimeout(resolve, pauseMs));
    const status = await askedWith(secret);
    if (status !== 'waiting') return status;
  } while (Date.now() < end);
  return 'expired';
}

async function askedWith(secret: string): Promise<Outcome | 'waiting'> {
  try {
    const given = { body: { secret }, init: inCookie };
    return (await openSession(call('post', '/api/auth/pairings/claim', given))).status;
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    return error.status === 404 ? 'expired' : 'waiting';
  }
}

const AlreadyIn = () => (
  <>
    <h1>{t('screen.here')}</h1>
    <p>
      <a href={acceptPath}>{t('screen.accept')}</a>
    </p>
    <p>
      <a href="/">{t('screen.goOn')}</a>
    </p>
  </>
);

const isSignedIn = (): Promise<boolean> =>
  call('get', '/api/auth/me').then(
    () => true,
    (error: unknown) => {
      if (error instanceof Refusal && error.status !== 401) throw error;
      return false;
    },
  );
