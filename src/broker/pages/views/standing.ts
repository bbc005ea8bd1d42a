import { sortClients, type SortedClients } from '../../signing/index.ts';
import type {
  Account,
  ClientView,
  FeedRecord,
  LinkedServer,
  PasskeyView,
  ServersView,
  Vault,
  VaultBody,
} from '../../web-api.ts';
import { get } from '../api.ts';
import type { PageParts } from '../page.ts';

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
