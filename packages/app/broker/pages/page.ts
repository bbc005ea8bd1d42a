import type { Account } from '../service/web-api.ts';
import type { Keyring } from './keyring.ts';

/** The input of a page. */
export interface PageParts {
  readonly place: HTMLElement;
  readonly keys: Keyring;
  /** The id in the address. */
  readonly id: string;
  /** Shows another address without a reload, so that the vault stays open. */
  readonly go: (path: string) => void;
}

/** The input of a page that signs the user in. */
export interface SignInParts extends Pick<PageParts, 'place' | 'keys'> {
  /** The user's purpose, other than to manage their identity. */
  readonly purpose?: string;
  /** Called with the account after signing in. */
  readonly then: (account: Account) => Promise<void>;
}
