import type { Me } from './api.ts';

/** What a page is given: its place, and what of the address belongs to it. */
export interface PageParts {
  readonly place: HTMLElement;
  readonly id: string;
  readonly me: Me;
}
