import type { BigNumber } from '../tables/rows.ts';

/** An item of a page, and its position in the list. */
export interface PagedItem {
  readonly id: string;
  readonly no: number;
  readonly value: string | number;
}

export interface PagedRow extends Pick<PagedItem, 'id' | 'no'> {
  /** PostgreSQL gives timestamps as text. */
  readonly value: string | BigNumber;
}

/** Whether the value is a text or a number depends on the order of the list. */
export const toPaged =
  (isText: boolean) =>
  ({ id, no, value }: PagedRow): PagedItem => ({
    id,
    no,
    value: isText ? String(value) : Number(value),
  });
