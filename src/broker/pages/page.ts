import type { Keyring } from './keyring.ts';

/** What a page is given. */
export interface PageParts {
  readonly place: HTMLElement;
  readonly keys: Keyring;
  /** What of the address belongs to it. */
  readonly id: string;
  /** Shows another address without leaving this page, so that the opened vault stays at hand. */
  readonly go: (path: string) => void;
  /** Shows what has to be seen, above the page. */
  readonly warn: (text: string) => void;
}
