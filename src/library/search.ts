import type { CallPlugin, Database } from '../../kernel/index.ts';
import type { Capability, SearchQueryInput } from '../../plugin-api/index.ts';
import type { Viewer } from '../accounts/index.ts';
import { AppError } from '../errors.ts';
import { entitiesToAsk, type Access } from './access/index.ts';
import { toEntity, type Entity } from './entity.ts';
import { readFound } from './found-store.ts';
import { assemble } from './hydrate.ts';
import type { Item } from './item.ts';
import { isMap } from './rows.ts';
import { createSearchTurns } from './search-turns.ts';

/** What a search found, best first. Confidence is 0 to 1. */
export interface SearchAnswer {
  readonly query: string;
  readonly items: readonly (Item & { readonly confidence: number })[];
  /** All matching items, not only those given. */
  readonly itemsTotal: number;
  readonly entities: readonly (Entity & { readonly confidence: number })[];
}

/** Search over the libraries that a viewer may see. */
export interface Search {
  readonly query: (
    viewer: Viewer,
    question: { readonly q: string; readonly limit?: number | undefined },
  ) => Promise<SearchAnswer>;
}

interface Hit {
  readonly id: string;
  readonly confidence: number;
}

interface Found {
  readonly items: readonly Hit[];
  readonly entities: readonly Hit[];
  readonly itemsTotal: number;
}

const timeoutMs = 5000;
const mostEntities = 20;

export function createSearch(parts: {
  readonly database: Pick<Database, 'read'>;
  readonly access: Pick<Access, 'scopeOf' | 'partitionsOf'>;
  readonly call: CallPlugin;
  readonly providers: (capability: Capability) => readonly string[];
}): Search {
  const takeTurn = createSearchTurns();

  async function ask(question: SearchQueryInput): Promise<Found> {
    const [pluginId] = parts.providers('search');
    if (pluginId === undefined) throw unavailable();
    try {
      return parseAnswer(await parts.call(pluginId, 'search.query', question, { timeoutMs }));
    } catch (cause) {
      throw unavailable(cause);
    }
  }

  return {
    query: async (viewer, { q, limit = 20 }) => {
      const scope = await parts.access.scopeOf(viewer);
      // Without a filter the index need not look at the partition of each hit.
      const scopes = await parts.access.partitionsOf(scope);
      const entityLimit = entitiesToAsk(scope);
      const question = { q, limit, scopes, ...(entityLimit !== undefined && { entityLimit }) };
      const hits = await takeTurn(() => ask(question));
      const ids = {
        items: idsOf(hits.items, limit),
        entities: idsOf(hits.entities, entityLimit ?? limit),
      };
      const found = await readFound(parts.database.read, ids, scope);
      const items = inOrder(assemble(found.items, found.parts, scope), hits.items);
      const shownEntities = inOrder(found.entities.map(toEntity), hits.entities);
      const entities = shownEntities.slice(0, Math.min(limit, mostEntities));
      return { query: q, items, itemsTotal: Math.max(hits.itemsTotal, items.length), entities };
    },
  };
}

function parseAnswer(value: unknown): Found {
  if (!isMap(value)) throw new TypeError('The search plugin gave no object.');
  const total = Number(value['itemsTotal']);
  return {
    items: parseHits(value['items']),
    entities: parseHits(value['entities']),
    itemsTotal: Number.isSafeInteger(total) && total > 0 ? total : 0,
  };
}

function parseHits(value: unknown): readonly Hit[] {
  const hits: readonly unknown[] = Array.isArray(value) ? value : [];
  return hits.flatMap((hit) => {
    if (!isMap(hit) || typeof hit['id'] !== 'string') return [];
    const confidence = Number(hit['confidence']);
    return [{ id: hit['id'], confidence: Math.min(1, Math.max(0, confidence || 0)) }];
  });
}

function idsOf(hits: readonly Hit[], limit: number): readonly string[] {
  return hits.slice(0, limit).map(({ id }) => id);
}

/** What is there, in the order in which it was found. */
function inOrder<Thing extends { readonly id: string }>(
  things: readonly Thing[],
  hits: readonly Hit[],
): (Thing & { readonly confidence: number })[] {
  const byId = new Map(things.map((thing) => [thing.id, thing]));
  return hits.flatMap(({ id, confidence }) => {
    const thing = byId.get(id);
    return thing ? [{ ...thing, confidence }] : [];
  });
}

function unavailable(cause?: unknown): AppError {
  const what = 'Search is not available: no search plugin answers.';
  return new AppError('unavailable', { what }, { cause });
}
