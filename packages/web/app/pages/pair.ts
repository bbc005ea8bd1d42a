import { get, openSession, post, Refusal } from '../api.ts';
import { announce, el, fill } from '../../../page-kit/index.ts';
import { actionButton } from '../form.ts';
import { t } from '../words.ts';
import { qrCode } from '../qr-code.ts';

interface Pairing {
  readonly code: string;
  readonly secret: string;
  readonly expiresAt: string;
}

type Outcome = 'accepted' | 'refused' | 'expired';

const acceptPath = '/pair/accept';
const pauseMs = 2000;
/** A screen that nobody looks at asks for no code for ever. */
const mostCodes = 6;

/** Sign-in of a device without a keyboard: a code that a person accepts on another device. */
export async function pairPage(place: HTMLElement): Promise<void> {
  document.title = `${t('pair.title')} · Vitrine`;
  if (await isSignedIn()) {
    alreadyIn(place);
    return;
  }
  await showCodes(place);
}

async function showCodes(place: HTMLElement): Promise<void> {
  for (let count = 0; count < mostCodes; count += 1) {
    const { pairing } = await post<{ readonly pairing: Pairing }>('/api/auth/pairings');
    showCode(place, pairing);
    const outcome = await outcomeOf(pairing);
    if (outcome === 'accepted') {
      location.replace('/');
      return;
    }
    if (outcome === 'refused') {
      offerAnother(place, t('pair.refused'));
      return;
    }
  }
  offerAnother(place, t('pair.expired'));
}

function showCode(place: HTMLElement, { code }: Pairing): void {
  const [first, second] = [code.slice(0, 4), code.slice(4)];
  fill(
    place,
    el('h1', {}, t('pair.title')),
    el(
      'ol',
      {},
      el('li', {}, t('pair.take')),
      el(
        'li',
        {},
        t('pair.open'),
        el('strong', { class: 'address' }, `${location.host}${acceptPath}`),
      ),
      el('li', {}, t('pair.type')),
    ),
    scannable(`${location.origin}${acceptPath}?code=${code}`),
    el(
      'p',
      { class: 'pairing-code', 'aria-label': Array.from(code).join(' ') },
      el('span', {}, first),
      el('span', {}, second),
    ),
    el('p', { class: 'quiet' }, t('pair.holds')),
    el('p', {}, el('a', { href: '/sign-in' }, t('signIn.byPassword'))),
  );
  announce(t('pair.codeIs', { code: Array.from(code).join(' ') }));
}

const svg = 'http://www.w3.org/2000/svg';
/** Light modules around a code, without which readers do not find it. */
const margin = 4;

/** The address with the code, for a camera; `null` = it is too long for a code of this size. */
function scannable(address: string): Element | null {
  const rows = qrCode(address);
  if (rows === null) return null;
  const size = rows.length + margin * 2;
  const shape = document.createElementNS(svg, 'path');
  const squares = rows.flatMap((row, y) =>
    row.flatMap((isDark, x) => (isDark ? [`M${x + margin} ${y + margin}h1v1h-1z`] : [])),
  );
  shape.setAttribute('d', squares.join(''));
  const picture = document.createElementNS(svg, 'svg');
  picture.setAttribute('viewBox', `0 0 ${size} ${size}`);
  picture.setAttribute('class', 'scannable');
  picture.setAttribute('role', 'img');
  picture.setAttribute('aria-label', t('pair.camera'));
  picture.append(shape);
  return picture;
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
    const claim = '/api/auth/pairings/claim';
    return (await openSession<{ status: Outcome | 'waiting' }>(claim, { secret })).status;
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    return error.status === 404 ? 'expired' : 'waiting';
  }
}

function offerAnother(place: HTMLElement, text: string): void {
  fill(
    place,
    el('h1', {}, t('pair.title')),
    el('p', { role: 'alert' }, text),
    actionButton(t('pair.again'), () => showCodes(place), { class: 'primary' }),
    el('p', {}, el('a', { href: '/sign-in' }, t('signIn.byPassword'))),
  );
  place.querySelector('button')?.focus();
}

function alreadyIn(place: HTMLElement): void {
  fill(
    place,
    el('h1', {}, t('pair.here')),
    el('p', {}, el('a', { href: acceptPath }, t('pair.accept'))),
    el('p', {}, el('a', { href: '/' }, t('pair.goOn'))),
  );
}

const isSignedIn = (): Promise<boolean> =>
  get('/api/auth/me').then(
    () => true,
    (error: unknown) => {
      if (error instanceof Refusal && error.status !== 401) throw error;
      return false;
    },
  );
