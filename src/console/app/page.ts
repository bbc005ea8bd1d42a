import type { Me } from './api.ts';

/** The input of a page: its element, and who looks at it. */
export interface PageParts {
  readonly place: HTMLElement;
  readonly me: Me;
}
