/**
 * Holds the user's opened vault in the memory of this page, for as long as the broker accepts
 * changes after one use of the passkey. Its key can sign and cannot be exported. Each time a vault
 * is opened, the passes of the user's devices are topped up.
 */
import { sortClients } from '../signing/own-clients.ts';
import { passphraseSecret } from '../signing/passphrase.ts';
import { isRolledBack, rememberRevision } from '../signing/seen-revision.ts';
import { topUp } from '../signing/top-up.ts';
import { openVault, type OpenedVault } from '../signing/vault.ts';
import type { VaultSecret } from '../signing/vault-secret.ts';
import type {
  Account,
  ClientView,
  LoginOptions,
  RecordsBody,
  SignedIn,
  Vault,
} from '../service/web-api.ts';
import { get, post, Refusal } from './api.ts';
import { askPassphrase } from './ask-passphrase.ts';
import { brokerClock, type BrokerClock } from './broker-clock.ts';
import { usePasskey, type Touched } from './passkeys.ts';

/** An open vault, and the clock for signatures. */
export interface Unlocked {
  readonly account: Account;
  readonly opened: OpenedVault;
  readonly clock: BrokerClock;
  /** Resolves when the devices have their passes, or could not get them; never rejects. */
  readonly refilled: Promise<void>;
}

/** The vault to open, and the means to open it. */
export interface OpenParts {
  readonly account: Account;
  readonly vault: Vault;
  /** `null` = no passkey was used; the passphrase alone opens it. */
  readonly touched: Touched | null;
  readonly clock: BrokerClock;
}

type Purpose = 'sign' | 'change';

/** The user's key in this page. */
export interface Keyring {
  /** Signs in with one use of a passkey, and opens the vault if that passkey can. */
  readonly signIn: () => Promise<Account>;
  /** The opened vault; asks for the passkey unless it was used a moment ago. */
  readonly unlock: (purpose: Purpose) => Promise<Unlocked>;
  /** Opens a vault after a use of the passkey for another purpose. */
  readonly open: (parts: OpenParts, purpose: Purpose) => Promise<Unlocked>;
  /** Stores a vault that was changed or created. */
  readonly keep: (account: Account, opened: OpenedVault, clock: BrokerClock) => void;
  readonly forget: () => void;
}

/**
 * The broker accepts changes for five minutes after a use of the passkey; this leaves time to send
 * them.
 */
const freshMs = 4 * 60_000;

/** `warn` shows an important message to the user. */
export function createKeyring(warn: (text: string) => void): Keyring {
  let held: { readonly unlocked: Unlocked; readonly until: number } | null = null;

  const hold = (unlocked: Unlocked): void => {
    held = { unlocked, until: performance.now() + freshMs };
  };

  async function open(parts: OpenParts, purpose: Purpose): Promise<Unlocked> {
    const { account, vault, clock } = parts;
    const opened = reusableVault(parts, purpose) ?? (await openBy(parts, purpose));
    noteRevision(account.userId, vault.rev);
    const unlocked = { account, opened, clock, refilled: refill(opened, clock) };
    if (purpose === 'sign') hold(unlocked);
    return unlocked;
  }

  /** Reuses an open vault if it is unchanged, so that no passphrase is needed. */
  function reusableVault({ vault, touched }: OpenParts, purpose: Purpose): OpenedVault | null {
    const opened = held !== null && performance.now() < held.until ? held.unlocked.opened : null;
    const isSame = opened?.vault.proof.sig === vault.proof.sig;
    return isSame && purpose === 'sign' && !opensBy(vault, touched) ? opened : null;
  }

  function noteRevision(userId: string, rev: number): void {
    if (isRolledBack(localStorage, userId, rev))
      warn(
        'The broker sent an older copy of your vault than this browser has seen. An old state may have been restored: check your passkeys below, and remove those that you removed before.',
      );
    rememberRevision(localStorage, userId, rev);
  }

  async function gesture(): Promise<OpenParts & { readonly touched: Touched }> {
    const { options } = await post<LoginOptions>('login/options');
    const touched = await usePasskey(options);
    const { account, vault, now } = await post<SignedIn>('login/verify', {
      credential: touched.credential,
    });
    return { account, vault, touched, clock: brokerClock(now) };
  }

  return {
    open,
    signIn: async () => {
      const parts = await gesture();
      if (opensBy(parts.vault, parts.touched)) await open(parts, 'sign');
      return parts.account;
    },
    unlock: async (purpose) => {
      if (purpose === 'sign' && held && performance.now() < held.until) return held.unlocked;
      return open(await gesture(), purpose);
    },
    keep: (account, opened, clock) => {
      rememberRevision(localStorage, account.userId, opened.vault.rev);
      hold({ account, opened, clock, refilled: Promise.resolve() });
    },
    forget: () => {
      held = null;
    },
  };
}

/** Whether the passkey that was used can open the vault. */
const opensBy = ({ wraps }: Vault, touched: Touched | null): boolean =>
  wraps.some(({ type, ref }) => type === 'prf' && ref === touched?.secret?.ref);

/**
 * Whether no passkey opens the vault: then it is opened before a use of the passkey that has a time
 * limit.
 */
export const needsPassphrase = ({ wraps }: Vault): boolean =>
  wraps.every(({ type }) => type !== 'prf');

/** Asks for the passphrase of an opened vault, to lock the vault with it again. */
export function givePassphrase({ vault, identity }: OpenedVault): Promise<VaultSecret> {
  const wrap = vault.wraps.find(({ type }) => type === 'passphrase');
  if (wrap === undefined) throw refusalOf('vault_locked');
  return askPassphrase(async (phrase) => {
    const secret = await passphraseSecret(phrase, wrap);
    if (secret === 'weak_kdf') throw refusalOf(secret);
    const answer = await openVault(vault, { account: identity, secret, purpose: 'sign' });
    if (typeof answer === 'string') throw refusalOf('wrong_phrase');
    return secret;
  });
}

async function openBy(parts: OpenParts, purpose: Purpose): Promise<OpenedVault> {
  const { vault, touched } = parts;
  if (touched?.secret && opensBy(vault, touched)) return opened(parts, touched.secret, purpose);
  const wrap = vault.wraps.find(({ type }) => type === 'passphrase');
  if (wrap === undefined) throw refusalOf('vault_locked');
  return askPassphrase(async (phrase) => {
    const secret = await passphraseSecret(phrase, wrap);
    if (secret === 'weak_kdf') throw refusalOf(secret);
    return opened(parts, secret, purpose);
  });
}

async function opened(
  { vault, account }: OpenParts,
  secret: VaultSecret,
  purpose: Purpose,
): Promise<OpenedVault> {
  const answer = await openVault(vault, { account, secret, purpose });
  if (typeof answer !== 'string') return answer;
  throw refusalOf(
    secret.type === 'passphrase' && answer === 'wrong_secret' ? 'wrong_phrase' : answer,
  );
}

const faults = {
  vault_locked:
    'This passkey does not open your vault. Use another of your passkeys, or your recovery code.',
  wrong_phrase: 'That is not the passphrase.',
  wrong_secret:
    'This passkey no longer gives the secret that it gave when it was added. Use another one, or your recovery code.',
  vault_altered:
    'The vault from the broker is not the one that you signed. Nothing was signed with it. Tell the operator of this broker.',
  weak_kdf:
    'The broker asked for a weak derivation of your passphrase, which would be easy to guess. Nothing was derived. Tell the operator of this broker.',
} as const;

const refusalOf = (code: keyof typeof faults): Refusal => new Refusal(code, faults[code]);

/** Signs the missing passes of the user's devices. A failure is retried at the next sign-in. */
async function refill({ identity }: OpenedVault, clock: BrokerClock): Promise<void> {
  try {
    const now = clock.toSignBy();
    const [{ clients }, { records }] = await Promise.all([
      get<{ clients: readonly ClientView[] }>('clients'),
      get<Pick<RecordsBody, 'records'>>('records'),
    ]);
    const { own } = await sortClients(identity, clients, records);
    const batch = await topUp(identity, own, now);
    if (batch.passes.length > 0) await post('batch', batch);
  } catch {
    return;
  }
}
