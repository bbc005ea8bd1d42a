/**
 * The page on which a user approves an app. It shows the facts that the passkey signs, and stops
 * when the broker's challenge is for any other facts.
 */
import { approveChallenge } from '../../signing/approve.ts';
import { refusedServers } from '../../signing/refused-servers.ts';
import { signPairing } from '../../signing/sign-pairing.ts';
import type {
  Account,
  ApproveBody,
  ApproveOptions,
  LinkedServer,
  PairDone,
  PairView,
  RecordsBody,
  RequestOptionsJson,
  VaultBody,
} from '../../service/web-api.ts';
import { get, orRefusal, post, Refusal } from '../api.ts';
import { brokerClock, type BrokerClock } from '../broker-clock.ts';
import { platformOf, type Platform } from '../../../../lib/identity-protocol/index.ts';
import {
  announce,
  buttonOf,
  el,
  fill,
  foreign,
  type Child,
} from '../../../../lib/page-kit/index.ts';
import { actionButton } from '../form.ts';
import { needsPassphrase, type Unlocked } from '../keyring.ts';
import { usePasskey } from '../passkeys.ts';
import type { PageParts } from '../page.ts';
import { ago } from '../when.ts';
import { facts } from './facts.ts';

const platformNames: Readonly<Record<Platform, string>> = {
  tvos: 'Apple TV',
  ios: 'iOS',
  android: 'Android',
  windows: 'Windows',
  macos: 'macOS',
  linux: 'Linux',
  web: 'a web browser',
  tv: 'a TV',
  mobile: 'a phone',
  tablet: 'a tablet',
  desktop: 'a computer',
  cli: 'a command line',
  other: 'another kind of device',
};

/** The display name of a platform. */
export const platformName = (platform: string): string => platformNames[platformOf(platform)];

/** Shows the request, and lets the user approve or deny it. */
export async function approveView(parts: PageParts, account: Account): Promise<void> {
  const { place, id } = parts;
  document.title = 'Approve an app · Vitrine identity';
  place.classList.add('narrow');
  const view = await orRefusal(
    get<PairView>(`pair/${encodeURIComponent(id)}`),
    'pairing_gone',
    'not_found',
  );
  if (view instanceof Refusal) {
    ended(
      place,
      'This request has ended',
      'Start again in the app, and approve within ten minutes.',
    );
    if (view.redirect !== null && /^(?:https|[a-z][\da-z+-]*\.[\da-z.+-]*):/.test(view.redirect))
      place.append(el('a', { href: view.redirect }, 'Back to the app'));
    return;
  }
  const clock = brokerClock(view.now);
  const refused = await refusedBefore(account, view);
  const boxes = view.servers.map((server) => serverBox(server, refused.has(server.serverId)));
  const request: Request = { parts, account, view, clock, boxes };
  fill(
    place,
    el('h1', { tabindex: -1 }, 'Approve ', foreign(view.app.name), '?'),
    whoAsks(view),
    facts(
      ['Device', foreign(view.deviceName)],
      ['Runs on', platformName(view.platform)],
      ['Asked', ago(view.requestedAt, view.now)],
      ['From', from(view)],
      view.callbackUrl !== null && ['Returns to', foreign(callbackName(view.callbackUrl))],
    ),
    servers(boxes),
    el(
      'p',
      { class: 'quiet' },
      'Approve only a request that you have just started yourself. The app will have your rights on these servers.',
    ),
    el(
      'div',
      { class: 'row' },
      actionButton('Approve', () => approve(request), { class: 'primary' }),
      actionButton('Deny', () => deny(request)),
    ),
  );
}

interface Request {
  readonly parts: PageParts;
  readonly account: Account;
  readonly view: PairView;
  readonly clock: BrokerClock;
  readonly boxes: readonly ServerBox[];
}

interface ServerBox {
  readonly server: LinkedServer;
  readonly input: HTMLInputElement;
  readonly row: HTMLElement;
}

/** A device that pairs again keeps its id, and with it its earlier refusals. */
async function refusedBefore(
  account: Account,
  { existingClientId }: PairView,
): Promise<ReadonlySet<string>> {
  if (existingClientId === null) return new Set();
  const { records } = await get<Pick<RecordsBody, 'records'>>('records');
  return refusedServers(account, existingClientId, records);
}

const whoAsks = ({ app: { isVerified, domain, appId } }: PairView): HTMLElement =>
  isVerified && domain !== null
    ? el(
        'p',
        { class: 'banner good' },
        'Verified: this app is by ',
        el('strong', {}, foreign(domain)),
        '.',
      )
    : el(
        'p',
        { class: 'banner warning' },
        el('strong', {}, 'Not verified.'),
        ' The developer of this app is not verified (',
        el('code', {}, appId),
        '). Any app can use this name.',
      );

const from = ({ network, isSameNetwork }: PairView): Child =>
  isSameNetwork
    ? `${network}, the same network as yours`
    : el('strong', {}, `${network}, a different network from yours`);

/** The host that the user returns to, or the scheme of an app on this device. */
function callbackName(url: string): string {
  const { protocol, host } = new URL(url);
  return protocol === 'https:' ? host : `an app on this device (${protocol})`;
}

function servers(boxes: readonly ServerBox[]): HTMLElement {
  if (boxes.length === 0)
    return el(
      'p',
      { class: 'banner' },
      'No server is linked to your identity yet. The app will see servers that you link later.',
    );
  return el(
    'fieldset',
    { class: 'choices' },
    el('legend', {}, 'Servers that it may use'),
    ...boxes.map(({ row }) => row),
  );
}

function serverBox(server: LinkedServer, isRefused: boolean): ServerBox {
  const { serverId, name, baseUrl } = server;
  const id = `server-${serverId}`;
  const input = el('input', { type: 'checkbox', id, checked: !isRefused, disabled: isRefused });
  const row = el(
    'div',
    { class: 'choice' },
    input,
    el(
      'label',
      { for: id },
      foreign(name),
      el('small', {}, foreign(baseUrl)),
      isRefused &&
        el('small', {}, 'You refused it to this device before. To allow it, pair the app again.'),
    ),
  );
  return { server, input, row };
}

/** One use of the passkey opens the vault and signs the facts; then the key signs the passes. */
async function approve({ parts, account, view, clock, boxes }: Request): Promise<void> {
  const { keys, place, go } = parts;
  const { app, deviceName, clientPubKey } = view;
  const ticked = new Set(
    boxes.filter(({ input }) => input.checked).map(({ server }) => server.serverId),
  );
  if (boxes.length > 0 && ticked.size === 0)
    throw new Refusal('none_ticked', 'Select at least one server, or deny the request.');
  clock.toSignBy();
  const path = `pair/${encodeURIComponent(view.requestId)}`;
  const { vault } = await get<VaultBody>('vault');
  const sealed = { account, vault, clock };
  const early = needsPassphrase(vault)
    ? await keys.open({ ...sealed, touched: null }, 'sign')
    : null;
  const touched = await usePasskey(await optionsFor(view, path));
  const unlocked = early ?? (await keys.open({ ...sealed, touched }, 'sign'));
  const clientId = view.existingClientId ?? crypto.randomUUID();
  const signed = await signPairing(
    unlocked.opened.identity,
    {
      client: { appId: app.appId, clientId, clientPubKey, deviceName },
      servers: view.servers,
      ticked,
    },
    clock.toSignBy(),
  );
  const body: ApproveBody = { credential: touched.credential, ...signed };
  const done = await post<PairDone>(`${path}/approve`, body);
  ended(
    place,
    'Approved',
    'The app continues automatically. You can revoke it at any time under Devices.',
  );
  place.append(homeLink(go));
  await leave({ view, done, unlocked }, place);
}

/**
 * The options for the passkey; refuses unless the challenge is for exactly the facts on this page.
 */
async function optionsFor(view: PairView, path: string): Promise<RequestOptionsJson> {
  const { requestId, clientPubKey, deviceName, app } = view;
  const { nonce, options } = await post<ApproveOptions>(`${path}/options`);
  const shown = { appId: app.appId, clientPubKey, deviceName, nonce, requestId };
  if (options.challenge === (await approveChallenge(shown))) return options;
  throw new Refusal(
    'options_differ',
    'The broker asked your passkey to sign a different request than this page shows. Nothing was approved. Tell the operator of this broker.',
  );
}

async function deny({ parts: { place, go }, view }: Request): Promise<void> {
  const done = await post<PairDone>(`pair/${encodeURIComponent(view.requestId)}/deny`);
  ended(place, 'Denied', 'The app was told, and got no access.');
  place.append(homeLink(go));
  await leave({ view, done, unlocked: null }, place);
}

interface Leaving {
  readonly view: PairView;
  readonly done: PairDone;
  readonly unlocked: Unlocked | null;
}

/**
 * Returns only to the address that the page showed, after the passes of other devices are topped
 * up.
 */
async function leave({ view, done, unlocked }: Leaving, ended: HTMLElement): Promise<void> {
  const { callbackUrl } = view;
  if (done.redirect === null) return;
  if (callbackUrl === null || !done.redirect.startsWith(`${callbackUrl}?`)) {
    const text =
      'The broker tried to send you to a different address than the page showed, so you were not redirected.';
    ended.append(el('p', { class: 'problem', role: 'alert' }, text));
    return;
  }
  const timeout = new Promise((resolve) => setTimeout(resolve, 1500));
  await Promise.race([unlocked?.refilled, timeout]);
  location.assign(done.redirect);
}

function ended(place: HTMLElement, title: string, text: string): void {
  const heading = el('h1', { tabindex: -1 }, title);
  fill(place, heading, el('p', {}, text));
  heading.focus();
  announce(`${title}. ${text}`);
}

function homeLink(go: PageParts['go']): HTMLElement {
  const button = buttonOf('My devices');
  button.addEventListener('click', () => go('/'));
  return button;
}
