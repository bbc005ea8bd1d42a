/** The whole app: pair, list what is on each server, sign out. */
import {
  createBrowserStorage,
  createClient,
  IdentityError,
  isCallback,
  type ClientState,
  type Server,
} from '@vitrine/client';
import { button, byId, el } from './dom.ts';
import { createServerCard, type ServerCard } from './server-card.ts';

/** The build inserts these. */
declare const APP_ID: string;
declare const IDENTITY_URL: string;

const { keys, store } = createBrowserStorage({ name: APP_ID });
const client = createClient({
  appId: APP_ID,
  identityUrl: IDENTITY_URL,
  deviceName: `Browser on ${navigator.platform || 'this device'}`.slice(0, 64),
  platform: 'web',
  keys,
  store,
});

const notice = byId('notice');
const content = byId('content');
const signOut = byId('sign-out');
const cards = new Map<string, ServerCard>();
let view = '';

const told = (error: unknown): void => {
  const isOurs = error instanceof IdentityError;
  if (isOurs && error.code === 'cancelled') return;
  notice.textContent = isOurs ? error.message : String(error);
};

/** The page is rendered again only for another view, so the focus stays where it is. */
function show(state: ClientState): void {
  const next = state.pairing ? `code ${state.pairing.code}` : state.status;
  byId('who').textContent = state.account ? `This device: ${state.account.deviceName}` : '';
  signOut.hidden = state.account === null;
  if (next !== view) {
    const isFirst = view === '';
    view = next;
    cards.clear();
    content.replaceChildren(...viewOf(state));
    if (!isFirst) content.querySelector('h1')?.focus();
  }
  if (state.isRenewalPending)
    notice.textContent =
      'Open the page of your identity once, so that this device stays signed in.';
  if (state.account && !state.pairing) showServers(client.servers());
}

function viewOf(state: ClientState): readonly HTMLElement[] {
  if (state.pairing) return [codeView(state.pairing)];
  return state.account ? serversView() : [pairView(state.reason)];
}

const heading = (text: string): HTMLElement => el('h1', { tabindex: '-1' }, text);

const reasons = {
  revoked: 'This device was signed out by its owner.',
  expired: 'This device was away for too long.',
  key_lost: 'The key of this device is gone.',
} as const;

function pairView(reason: ClientState['reason']): HTMLElement {
  return el(
    'section',
    { class: 'card narrow' },
    heading(reason ? 'Sign in again' : 'Sign in'),
    reason ? el('p', {}, reasons[reason]) : null,
    el('p', {}, 'One sign-in for all your servers. There is no password to type here.'),
    el(
      'div',
      { class: 'buttons' },
      button('Sign in with this browser', byBrowser, { isMain: true, failed: told }),
      button('Show a code', byCode, { failed: told }),
    ),
  );
}

async function byBrowser(): Promise<void> {
  notice.textContent = '';
  const { url } = await client.pairByBrowser({ callbackUrl: location.origin });
  location.assign(url);
}

async function byCode(): Promise<void> {
  notice.textContent = '';
  const { done } = await client.pairByCode();
  done.catch(told);
}

function codeView({ code, url, expiresAt }: NonNullable<ClientState['pairing']>): HTMLElement {
  const until = new Date(expiresAt).toLocaleTimeString([], { timeStyle: 'short' });
  return el(
    'section',
    { class: 'card narrow' },
    heading('Type this code'),
    el('p', {}, 'On your phone or computer, open ', el('a', { href: url }, url), ' and type:'),
    el('p', { class: 'code' }, code ?? ''),
    el('p', { class: 'quiet' }, `It is valid until ${until}. This page continues by itself.`),
    el('div', { class: 'buttons' }, button('Cancel', client.cancelPairing, { failed: told })),
  );
}

const serversView = (): readonly HTMLElement[] => [
  heading('Your servers'),
  el('div', { class: 'servers' }),
];

/** Adds and removes cards for the list, and updates each. */
function showServers(servers: readonly Server[]): void {
  const grid = content.querySelector('.servers');
  if (!grid) return;
  const entries = servers.map((server) => [entryOf(server), server] as const);
  const isAsBefore = entries.map(([entry]) => entry).join() === [...cards.keys()].join();
  if (!isAsBefore || servers.length === 0) {
    cards.clear();
    for (const [entry, server] of entries) cards.set(entry, createServerCard(server, told));
    const none = el('p', { class: 'quiet' }, 'You have not linked a server to your identity yet.');
    grid.replaceChildren(...[...cards.values()].map(({ element }) => element));
    if (servers.length === 0) grid.append(none);
  }
  for (const card of cards.values()) card.update();
}

/** A server with another address or name gets a new card. */
function entryOf(server: Server): string {
  const { serverId, baseUrl, name } = server.state();
  return JSON.stringify([serverId, baseUrl, name]);
}

signOut.addEventListener('click', () => void client.signOut().catch(told));
client.subscribe((_, state) => show(state));
window.addEventListener('online', () => void client.connect());

try {
  show(await client.start());
  if (isCallback(location.href)) {
    const callback = location.href;
    // Removed at once, so that a reload does not use it again.
    history.replaceState(null, '', location.pathname);
    await client.finishPairing(callback);
  }
} catch (error) {
  told(error);
}
