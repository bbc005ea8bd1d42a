import type { Account } from '../web-api.ts';
import type { Keyring } from './keyring.ts';

/** What a page is given. */
export interface PageParts {
  readonly place: HTMLElement;
  readonly keys: Keyring;
  /** What of the address belongs to it. */
  readonly id: string;
  /** Shows another address without leaving this page, so that the opened vault stays at hand. */
  readonly go: (path: string) => void;
}

/** What a page is given that makes somebody signed in. */
export interface SignInParts extends Pick<PageParts, 'place' | 'keys'> {
  /** What somebody came for, if not to look after their identity. */
  readonly purpose?: string;
  /** Goes on when there is an account. */
  readonly then: (account: Account) => Promise<void>;
}
