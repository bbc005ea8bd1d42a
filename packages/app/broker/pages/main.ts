/** The pages of the broker. Each has one address; all share one shell. */
import type { Account, SessionView } from '../service/web-api.ts';
import { get, orRefusal, post, Refusal } from './api.ts';
import { el, fill } from '../../../lib/page-kit/index.ts';
import { actionButton, show } from './form.ts';
import { createKeyring } from './keyring.ts';
import type { PageParts } from './page.ts';
import { approveView } from './views/approve.ts';
import { signInView } from './views/sign-in.ts';

const place = el('main', { id: 'content', tabindex: -1 });
const warnings = el('div', { class: 'warnings', role: 'alert' });
const bar = el('header', { class: 'bar' });
const warn = (text: string): void =>
  warnings.replaceChildren(el('p', { class: 'banner warning' }, text));
const keys = createKeyring(warn);

/** The purpose of an address, as shown to a user who must sign in first. */
interface View {
  readonly purpose?: string;
  readonly open: (parts: PageParts, account: Account) => Promise<void>;
}

const home: View = {
  open: async (parts, account) => (await import('./views/home.ts')).homeView(parts, account),
};

const views: Readonly<Record<string, View>> = {
  '': home,
  pair: {
    purpose: 'An app asks to be paired with your identity. Sign in to see which one.',
    open: async (parts, account) =>
      parts.id === ''
        ? (await import('./views/code.ts')).codeView(parts)
        : approveView(parts, account),
  },
  link: {
    purpose: 'A server asks to be linked to your identity. Sign in to see which one.',
    open: async (parts) => (await import('./views/link.ts')).linkView(parts),
  },
  developer: {
    purpose: 'Sign in to register apps.',
    open: async (parts) => (await import('./views/developer.ts')).developerView(parts),
  },
};

async function open(): Promise<void> {
  const [, name = '', id = ''] = location.pathname.split('/');
  place.classList.remove('narrow');
  fill(place);
  document.title = 'Vitrine identity';
  const parts: PageParts = { place, keys, id: decodeURIComponent(id), go };
  if (name === 'recover') {
    showBar(null);
    const { recoverView } = await import('./views/recover.ts');
    return recoverView(parts);
  }
  const session = await orRefusal(get<SessionView>('session'), 'signed_out');
  const isOut = session instanceof Refusal;
  if (!isOut && session.isRecovery) {
    go('/recover');
    return;
  }
  const { purpose, open: openView } = views[name] ?? home;
  const account = isOut ? null : session.account;
  showBar(account);
  if (account !== null) return openView(parts, account);
  signInView({
    place,
    keys,
    ...(purpose !== undefined && { purpose }),
    then: async () => go(location.pathname + location.hash),
  });
}

function showBar(account: Account | null): void {
  fill(
    bar,
    el(
      'a',
      { class: 'brand', href: '/' },
      el('img', { src: '/pages/icon.svg', alt: '', width: 28, height: 28 }),
      'Vitrine identity',
    ),
    account !== null &&
      el(
        'nav',
        { 'aria-label': 'Pages' },
        el('a', { href: '/pair' }, 'Enter a code'),
        el('a', { href: '/developer' }, 'Apps'),
        actionButton('Sign out', signOut, { 'aria-label': `Sign out ${account.handle}` }),
      ),
  );
}

async function signOut(): Promise<void> {
  await post('logout');
  keys.forget();
  warnings.replaceChildren();
  go('/');
}

function go(path: string): void {
  history.pushState(null, '', path);
  void shown();
}

async function shown(): Promise<void> {
  try {
    await open();
    if (!place.contains(document.activeElement)) place.querySelector<HTMLElement>('h1')?.focus();
  } catch (error) {
    const problem = el('p', { class: 'problem', role: 'alert' });
    fill(place, el('h1', {}, 'That did not work'), problem);
    show(problem, error);
  }
}

/** Links within the pages do not reload this page, so the vault stays open. */
function follow(event: MouseEvent): void {
  const link = event.target instanceof Element ? event.target.closest('a') : null;
  const isPlain = event.button === 0 && !event.ctrlKey && !event.metaKey && !event.shiftKey;
  if (link === null || !isPlain || link.origin !== location.origin || link.hash !== '') return;
  event.preventDefault();
  go(link.pathname);
}

document.addEventListener('click', follow);
addEventListener('popstate', () => void shown());
document.body.append(
  el('a', { class: 'skip', href: '#content' }, 'Skip to the content'),
  el('p', { class: 'unseen', role: 'status' }),
  bar,
  warnings,
  place,
);
void shown();
