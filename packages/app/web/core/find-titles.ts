/** Searches as one types. */
import { call, type Resources } from './api.ts';
import { underOwnTitle } from './item-tiles.ts';

/** What was found: the items as tiles, episodes under their own titles. */
export type Found = Omit<Resources['SearchResult'], 'items'> & {
  readonly items: readonly Resources['FoundTile'][];
};

/** Finds up to `limit` items, and entities. */
export async function findTitles(q: string, limit: number, signal: AbortSignal): Promise<Found> {
  const found = await call('get', '/api/search', {
    query: { q, limit, fields: 'tile' },
    init: { signal },
  });
  const tiles = found.items as readonly Resources['FoundTile'][];
  return { ...found, items: tiles.map(underOwnTitle) };
}
