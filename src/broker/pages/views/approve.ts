/**
 * The page on which somebody approves an app. It shows the facts that the gesture signs, and stops
 * when the broker asks the passkey to sign any others.
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
} from '../../web-api.ts';
import { get, orRefusal, post, Refusal } from '../api.ts';
import { brokerClock, type BrokerClock } from '../broker-clock.ts';
import { announce, el, fill, foreign, type Child } from '../../../page-kit/index.ts';
import { actionButton } from '../form.ts';
import { needsPassphrase, type Unlocked } from '../keyring.ts';
import { usePasskey } from '../passkeys.ts';
import type { PageParts } from '../page.ts';
import { ago } from '../when.ts';
import { facts } from './facts.ts';

const platforms: Readonly<Record<string, string>> = {
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

/** How a platform is called. */
export const platformName = (platform: string): string => platforms[platform] ?? platform;

/** Shows who asks, and lets the user approve or deny. */
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
    ended(place, 'This request is over', 'Start again in the app, and approve within ten minutes.');
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
      view.callbackUrl !== null && ['Goes back to', foreign(callbackName(view.callbackUrl))],
    ),
    servers(boxes),
    el(
      'p',
      { class: 'quiet' },
      'Approve only what you have just started yourself. The app can then do on these servers what you can do.',
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

/** A device that comes back keeps its id, and with it what it was once refused. */
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
        ' Nobody has shown who made this app (',
        el('code', {}, appId),
        '). Anybody can give an app this name.',
      );

const from = ({ network, isSameNetwork }: PairView): Child =>
  isSameNetwork
    ? `${network}, the network that you are on`
    : el('strong', {}, `${network}, another network than yours`);

/** The host that the user goes back to, or the scheme of an app on this device. */
function callbackName(url: string): string {
  const { protocol, host } = new URL(url);
  return protocol === 'https:' ? host : `an app on this device (${protocol})`;
}

function servers(boxes: readonly ServerBox[]): HTMLElement {
  if (boxes.length === 0)
    return el(
      'p',
      { class: 'banner' },
      'No server is linked to your identity yet. The app sees those that you link later.',
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
        el('small', {}, 'You refused it to this device before. Pair the app anew to allow it.'),
    ),
  );
  return { server, input, row };
}

/** One gesture opens the vault and signs the facts; then the key signs the passes. */
async function approve({ parts, account, view, clock, boxes }: Request): Promise<void> {
  const { keys, place, go } = parts;
  const { app, deviceName, clientPubKey } = view;
  const ticked = new Set(
    boxes.filter(({ input }) => input.checked).map(({ server }) => server.serverId),
  );
  if (boxes.length > 0 && ticked.size === 0)
    throw new Refusal('none_ticked', 'Leave at least one server ticked, or deny the request.');
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
    'The app goes on by itself. You can take this back at any time under Devices.',
  );
  place.append(homeLink(go));
  await leave({ view, done, unlocked }, place);
}

/** What the passkey is asked to sign: exactly the facts on this page, or nothing. */
async function optionsFor(view: PairView, path: string): Promise<RequestOptionsJson> {
  const { requestId, clientPubKey, deviceName, app } = view;
  const { nonce, options } = await post<ApproveOptions>(`${path}/options`);
  const shown = { appId: app.appId, clientPubKey, deviceName, nonce, requestId };
  if (options.challenge === (await approveChallenge(shown))) return options;
  throw new Refusal(
    'options_differ',
    'The broker asked your passkey to sign something else than what this page shows. Nothing was approved. Tell the operator of this broker.',
  );
}

async function deny({ parts: { place, go }, view }: Request): Promise<void> {
  const done = await post<PairDone>(`pair/${encodeURIComponent(view.requestId)}/deny`);
  ended(place, 'Denied', 'The app was told, and got nothing.');
  place.append(homeLink(go));
  await leave({ view, done, unlocked: null }, place);
}

interface Leaving {
  readonly view: PairView;
  readonly done: PairDone;
  readonly unlocked: Unlocked | null;
}

/** Goes back where the page said, and nowhere else; the passes of other devices are finished first. */
async function leave({ view, done, unlocked }: Leaving, ended: HTMLElement): Promise<void> {
  const { callbackUrl } = view;
  if (done.redirect === null) return;
  if (callbackUrl === null || !done.redirect.startsWith(`${callbackUrl}?`)) {
    const text = 'The broker wanted to send you elsewhere than it said, so you are still here.';
    ended.append(el('p', { class: 'problem', role: 'alert' }, text));
    return;
  }
  const patience = new Promise((resolve) => setTimeout(resolve, 1500));
  await Promise.race([unlocked?.refilled, patience]);
  location.assign(done.redirect);
}

function ended(place: HTMLElement, title: string, text: string): void {
  const heading = el('h1', { tabindex: -1 }, title);
  fill(place, heading, el('p', {}, text));
  heading.focus();
  announce(`${title}. ${text}`);
}

function homeLink(go: PageParts['go']): HTMLElement {
  const button = el('button', { type: 'button' }, 'My devices');
  button.addEventListener('click', () => go('/'));
  return button;
}
