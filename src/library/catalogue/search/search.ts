import {
  isOutageUnder,
  KernelError,
  type CallPlugin,
  type DispatchViewer,
} from '../../../../kernel/index.ts';
import type { Database } from '../../../../kernel/store/index.ts';
import type { CheckReference } from '../../../files/references/index.ts';
import type { SearchQueryInput, ServedKey } from '../../../../plugin-api/index.ts';
import type { Viewer } from '../../../people/viewer/index.ts';
import { AppError } from '../../../platform/errors.ts';
import { entitiesToAsk, type Access } from '../access/index.ts';
import { toEntity } from '../entities/entity.ts';
import { readRowsById, type WantedIds } from '../items/items-by-id-store.ts';
import { assemble } from '../items/hydrate.ts';
import type { ItemReader } from '../items/item-parts-store.ts';
import type { TrackRules } from '../items/text-track.ts';
import type { SelectItemPlayback } from '../items/item-playback.ts';
import type { PlacedTile } from '../items/tile.ts';
import { readPlacedTiles } from '../items/tile-store.ts';
import type { ShownEntityRow } from '../tables/entity-store.ts';
import { isMap } from '../tables/rows.ts';
import { createSearchLimit } from './search-limit.ts';
import type { Entity, Item } from '../../../contract/resources/library/catalogue.ts';

/** The result of a search, best first. Confidence is 0 to 1. */
export interface SearchAnswer<Shown = Item> {
  readonly query: string;
  readonly items: readonly (Shown & { readonly confidence: number })[];
  /** The number of all matching items, not only those returned. */
  readonly itemsTotal: number;
  readonly entities: readonly (Entity & { readonly confidence: number })[];
}

/** What a viewer looks for, and the maximum number of items. */
export interface SearchQuestion {
  readonly q: string;
  readonly limit?: number | undefined;
}

/** Search over the libraries that a viewer may see. */
export type Search = ReturnType<typeof createSearch>;

interface Hit {
  readonly id: string;
  readonly confidence: number;
}

/** What was read of the hits, in any order. */
interface Read<Shown> {
  readonly items: readonly Shown[];
  readonly entities: readonly ShownEntityRow[];
}

interface Found {
  readonly items: readonly Hit[];
  readonly entities: readonly Hit[];
  readonly itemsTotal: number;
}

const timeoutMs = 5000;
const mostEntities = 20;
/** The most items of one reply; a higher limit counts as this one. */
const mostItems = 200;

export function createSearch(parts: {
  readonly database: Pick<Database, 'read'>;
  readonly access: Pick<Access, 'scopeOf' | 'partitionsOf'>;
  readonly call: CallPlugin;
  /** Converts a viewer for calls of plugins. */
  readonly toPlugins: (viewer: Viewer) => DispatchViewer;
  readonly providers: (key: ServedKey) => readonly string[];
  readonly selectPlayback: SelectItemPlayback;
  readonly checkReference: CheckReference;
  readonly mayWrite: TrackRules['mayWrite'];
  /** Resolves when searches find a change, or after half a second. */
  readonly reach: (change: number) => Promise<void>;
}) {
  const { selectPlayback } = parts;
  const tracks = { check: parts.checkReference, mayWrite: parts.mayWrite };
  const takeTurn = createSearchLimit();

  async function ask(question: SearchQueryInput, viewer: DispatchViewer): Promise<Found> {
    const [pluginId] = parts.providers('search');
    if (pluginId === undefined) throw unavailable();
    try {
      const answer = await parts.call(pluginId, 'search.query', question, { timeoutMs, viewer });
      return parseAnswer(answer, question);
    } catch (cause) {
      throw unavailable(cause);
    }
  }

  /** Searches, and reads what was found as `read` does. */
  async function search<Shown extends { readonly id: string }>(
    viewer: Viewer,
    { q, limit: asked = 20 }: SearchQuestion,
    read: (ids: WantedIds, reader: ItemReader) => Promise<Read<Shown>>,
  ): Promise<SearchAnswer<Shown>> {
    const limit = Math.min(asked, mostItems);
    const scope = await parts.access.scopeOf(viewer);
    // Without partitions the index does not need to read the partition of each hit.
    const scopes = await parts.access.partitionsOf(scope);
    const entityLimit = entitiesToAsk(scope);
    const question = { q, limit, scopes, ...(entityLimit !== undefined && { entityLimit }) };
    const hits = await takeTurn(() => ask(question, parts.toPlugins(viewer)));
    const ids = { items: idsOf(hits.items), entities: idsOf(hits.entities) };
    const found = await read(ids, { scope, profileId: viewer.profileId, selectPlayback });
    const items = inOrder(found.items, hits.items);
    const entities = inOrder(
      found.entities.map((row) => toEntity(row, scope.entityLanguages)),
      hits.entities,
    );
    return {
      query: q,
      items,
      itemsTotal: Math.max(hits.itemsTotal, items.length),
      entities: entities.slice(0, Math.min(limit, mostEntities)),
    };
  }

  return {
    reach: parts.reach,
    query: (viewer: Viewer, question: SearchQuestion): Promise<SearchAnswer> =>
      search(viewer, question, async (ids, reader) => {
        const rows = await readRowsById(parts.database.read, ids, reader);
        return {
          items: assemble(rows.items, rows.parts, { scope: reader.scope, tracks }),
          entities: rows.entities,
        };
      }),
    /** As `query`, with only what a list shows of each item. */
    tiles: (viewer: Viewer, question: SearchQuestion): Promise<SearchAnswer<PlacedTile>> =>
      search(viewer, question, async ({ items, entities }, reader) => {
        const db = parts.database.read;
        const [tiles, others] = await Promise.all([
          readPlacedTiles(db, items, reader),
          readRowsById(db, { items: [], entities }, reader),
        ]);
        return { items: tiles, entities: others.entities };
      }),
  };
}

/** At most as many as were requested. */
function parseAnswer(
  value: unknown,
  { limit, entityLimit = limit }: Pick<SearchQueryInput, 'limit' | 'entityLimit'>,
): Found {
  if (!isMap(value)) throw new TypeError('The answer of the search plugin is not an object.');
  const total = Number(value['itemsTotal']);
  return {
    items: parseHits(value['items']).slice(0, limit),
    entities: parseHits(value['entities']).slice(0, entityLimit),
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

const idsOf = (hits: readonly Hit[]): readonly string[] => hits.map(({ id }) => id);

/** Those that were read, in the order of the hits. */
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

function unavailable(cause?: unknown): Error {
  if (isOutageUnder(cause))
    return new KernelError('storage_failed', 'The database cannot be searched now.', { cause });
  const what = 'Search is not available: no search plugin answers.';
  return new AppError('unavailable', { what }, { cause });
}
