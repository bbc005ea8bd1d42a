import type { Database } from '../../../kernel/store/index.ts';
import { withoutLocale, type Viewer } from '../../people/viewer/index.ts';
import { readCursor, writeCursor } from '../../platform/cursor.ts';
import type { Items, Libraries } from '../catalogue/index.ts';
import { countParts, readLooks, type LookRow } from './look-store.ts';
import { parseMatches } from './match.ts';
import type { Tile } from '../../contract/resources/library/catalogue.ts';
import type {
  MatchCandidate,
  PendingMatchesPage,
} from '../../contract/resources/library/matches.ts';

/** An item, show or album of which plugins are not sure what it is. */
export interface PendingMatch {
  readonly item: Tile;
  readonly libraryId: string;
  /** How many items wait for the same answer: the episodes of a show, the tracks of an album. */
  readonly items: number;
  /** Best first. */
  readonly candidates: readonly MatchCandidate[];
}

/** The page and the filter. */
export interface PendingMatchesQuery {
  /** Absent = all that the viewer sees. */
  readonly libraryId?: string | undefined;
  /** Absent = 50. */
  readonly limit?: number | undefined;
  readonly cursor?: string | undefined;
}

/** Lists what needs a look of a person. */
export type ListPendingMatches = (
  viewer: Viewer,
  query: PendingMatchesQuery,
) => Promise<PendingMatchesPage>;

/** Creates the function. */
export function createListPendingMatches({
  database,
  items,
  libraries,
  nameOf,
}: {
  readonly database: Pick<Database, 'read'>;
  readonly items: Pick<Items, 'getTiles'>;
  readonly libraries: Pick<Libraries, 'get' | 'list'>;
  readonly nameOf: (pluginId: string) => string;
}): ListPendingMatches {
  const candidatesOf = ({ match }: LookRow): readonly MatchCandidate[] =>
    Object.entries(parseMatches(match))
      .flatMap(([pluginId, { id, title, confidence, candidates = [] }]) => {
        const unnamed = { year: null, overview: null, url: null, imageUrl: null };
        const guess =
          id === null ? [] : [{ id, title: title ?? id, ...unnamed, confidence: confidence ?? 0 }];
        const offers = candidates.length > 0 ? candidates : guess;
        return offers.map((one) => ({ pluginId, pluginName: nameOf(pluginId), ...one }));
      })
      .sort((one, other) => other.confidence - one.confidence);

  return async (viewer, { libraryId, limit = 50, cursor }) => {
    const seen =
      libraryId === undefined
        ? await libraries.list(viewer)
        : [await libraries.get(libraryId, viewer)];
    const after = cursor === undefined ? 0 : Number(readCursor(cursor, 1)[0]);
    const page = { libraryIds: seen.map(({ id }) => id), after, limit: limit + 1 };
    const found = await readLooks(database.read, page);
    const rows = found.slice(0, limit);
    const ids = rows.map(({ id }) => id);
    const tiles = new Map(
      (await items.getTiles(ids, withoutLocale(viewer))).map((tile) => [tile.id, tile]),
    );
    const counts = await countParts(
      database.read,
      rows.map(({ no }) => no),
    );
    const last = found.length > limit ? rows.at(-1) : undefined;
    return {
      pending: rows.flatMap((row) => {
        const item = tiles.get(row.id);
        if (item === undefined) return [];
        const { library_id: library, no } = row;
        const candidates = candidatesOf(row);
        return [{ item, libraryId: library, items: counts.get(no) ?? 1, candidates }];
      }),
      nextCursor: last === undefined ? null : writeCursor([last.no]),
    };
  };
}
