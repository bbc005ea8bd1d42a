import type { Me } from './api.ts';

/** The input of a page: its element, and the id in the address. */
export interface PageParts {
  readonly place: HTMLElement;
  readonly id: string;
  readonly me: Me;
}
