/**
 * Pages of items for a plugin. The access filter applies to the query itself. A grant that is limited
 * to folders is checked for each item that was found, and the page is filled with the items after
 * it. So a page never holds an item outside of the grant, and its cursor is that of the last one read.
 */
import type { MediaQuery } from '../../../../plugin-api/index.ts';
import type { Viewer } from '../../../people/viewer/index.ts';
import type { MediaScope } from './media-scope.ts';

/** Which items; the service chooses their shape. */
export type ItemsQuery = Omit<MediaQuery, 'fields'>;

/** One page, of items or of tiles. */
export interface Page<Shape> {
  readonly items: readonly Shape[];
  readonly nextCursor: string | null;
  readonly total?: number | null;
}

/** Reads a page of what a viewer may see. */
export type ReadPage<Shape> = (viewer: Viewer, query: ItemsQuery) => Promise<Page<Shape>>;

const usualLimit = 50;
/** How often a page is filled. A page that is short by then goes on with the next call. */
const mostFills = 10;

/** Reads a page within a scope. */
export async function readWithin<Shape extends { readonly id: string }>(
  { viewer, within }: Pick<MediaScope, 'viewer' | 'within'>,
  query: ItemsQuery,
  readPage: ReadPage<Shape>,
): Promise<Page<Shape>> {
  if (within === null) return readPage(viewer, query);
  const { limit = usualLimit, includeTotal = false, letter, cursor: from, ...rest } = query;
  const items: Shape[] = [];
  let cursor = from;
  for (let fills = 0; fills < mostFills; fills += 1) {
    const start = cursor !== undefined ? { cursor } : letter !== undefined ? { letter } : {};
    const page = await readPage(viewer, { ...rest, ...start, limit: limit - items.length });
    const shown = await within(page.items.map(({ id }) => id));
    items.push(...page.items.filter((_, index) => shown[index] === true));
    cursor = page.nextCursor ?? undefined;
    if (cursor === undefined || items.length >= limit) break;
  }
  return { items, nextCursor: cursor ?? null, ...(includeTotal && { total: null }) };
}
