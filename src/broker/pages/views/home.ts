/** Where somebody looks after their identity: devices, servers, passkeys, recovery code, key. */
import { sortClients, type SortedClients } from '../../signing/index.ts';
import type {
  Account,
  ClientView,
  FeedRecord,
  LinkedServer,
  PasskeyView,
  ServersView,
  SessionView,
  Vault,
  VaultBody,
} from '../../web-api.ts';
import { get } from '../api.ts';
import { announce, el, fill, type Child } from '../dom.ts';
import type { PageParts } from '../page.ts';
import { devicesCard } from './devices.ts';
import { keyCard } from './key.ts';
import { passkeysCard } from './passkeys.ts';
import { recoveryCard } from './recovery.ts';
import { serversCard } from './servers.ts';

/** What the broker says of an account, and what of it the user's signatures bear out. */
export interface Standing {
  readonly account: Account;
  readonly clients: readonly ClientView[];
  readonly sorted: SortedClients;
  readonly records: readonly FeedRecord[];
  readonly servers: readonly LinkedServer[];
  readonly updates: ServersView['updates'];
  readonly passkeys: readonly PasskeyView[];
  readonly vault: Vault;
  readonly now: number;
}

/** What a card needs to show itself, and to show the page again when it changed something. */
export interface CardParts {
  readonly page: PageParts;
  readonly standing: Standing;
  /** Loads everything again and says what was done. */
  readonly changed: (what: string) => Promise<void>;
}

/** Asks the broker for everything that belongs to an account. */
export async function standingOf(account: Account): Promise<Standing> {
  const [devices, { servers, updates }, { records }, { passkeys }, { vault }] = await Promise.all([
    get<{ readonly clients: readonly ClientView[]; readonly now: number }>('clients'),
    get<ServersView>('servers'),
    get<{ readonly records: readonly FeedRecord[] }>('records'),
    get<{ readonly passkeys: readonly PasskeyView[] }>('passkeys'),
    get<VaultBody>('vault'),
  ]);
  const { clients, now } = devices;
  const sorted = await sortClients(account, clients, records);
  return { account, clients, sorted, records, servers, updates, passkeys, vault, now };
}

/** Shows the whole of it. */
export async function homeView(page: PageParts, account: Account): Promise<void> {
  document.title = 'Vitrine identity';
  page.place.classList.remove('narrow');
  const standing = await standingOf(account);
  const changed = async (what: string): Promise<void> => {
    const session = await get<SessionView>('session');
    await homeView(page, session.account);
    announce(what);
    page.place.querySelector<HTMLElement>('h1')?.focus();
  };
  const parts: CardParts = { page, standing, changed };
  fill(
    page.place,
    el('h1', { tabindex: -1 }, account.handle),
    el(
      'div',
      { class: 'columns' },
      section('Devices', devicesCard(parts)),
      section('Servers', serversCard(parts)),
      section('Passkeys', passkeysCard(parts)),
      section('Recovery code', recoveryCard(parts)),
      section('Your key', await keyCard(parts)),
    ),
  );
}

const section = (heading: string, ...children: readonly Child[]): HTMLElement => {
  const id = `about-${heading.toLowerCase().replaceAll(' ', '-')}`;
  return el(
    'section',
    { 'aria-labelledby': id },
    el('h2', { id }, heading),
    el('div', { class: 'card' }, children),
  );
};
