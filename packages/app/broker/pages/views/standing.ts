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
} from '../../service/web-api.ts';
import { get } from '../api.ts';
import type { PageParts } from '../page.ts';

/** The account data of the broker, with the parts that the user's signatures confirm. */
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

/** The input of a card: the data to show, and the function to reload after a change. */
export interface CardParts {
  readonly page: PageParts;
  readonly standing: Standing;
  /** Reloads everything and announces the change. */
  readonly changed: (what: string) => Promise<void>;
}

/** Loads all data of an account from the broker. */
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
