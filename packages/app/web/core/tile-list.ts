/**
 * A long list of tiles of which only a window is read. The server gives pages by cursor, and the
 * letters with a cursor each; a jump reads from the nearest known cursor before it.
 */
import { signal, type ReadonlySignal } from '@preact/signals';

/** One page of the server. */
export interface TilePage<Tile> {
  readonly items: readonly Tile[];
  readonly nextCursor: string | null;
  readonly total?: number;
}

/** A list whose tiles are read as they come into view. */
export interface TileList<Tile> {
  /** How many there are; `undefined` until the first page is there. */
  readonly total: ReadonlySignal<number | undefined>;
  /** Increases when tiles arrive. */
  readonly version: ReadonlySignal<number>;
  readonly error: ReadonlySignal<unknown>;
  readonly at: (index: number) => Tile | undefined;
  /** Reads what of this range is missing; the last range that was asked for goes first. Resolves when nothing is missing. */
  readonly ensure: (from: number, to: number) => Promise<void>;
  /** Reads what is shown again, since it may have changed; meanwhile the old tiles stay. */
  readonly renew: () => Promise<void>;
  /** Makes known that the tile at `index` is the first one after `cursor`. */
  readonly anchor: (index: number, cursor: string) => void;
}

/** Tiles of one request: at most 20 kB. */
const pageSize = 100;

export function createTileList<Tile>(
  read: (cursor: string | null, limit: number, withTotal: boolean) => Promise<TilePage<Tile>>,
): TileList<Tile> {
  const total = signal<number | undefined>(undefined);
  const version = signal(0);
  const error = signal<unknown>(undefined);
  const tiles = new Map<number, Tile>();
  let fresh = new Set<number>();
  const cursors = new Map<number, string | null>([[0, null]]);
  let wanted: readonly [number, number] | undefined;
  /** Whether its length is known since it was last renewed: an empty one may have titles now. */
  let isCounted = false;
  let isReading = false;
  let reading = Promise.resolve();

  /** The first missing place of the wanted range, with the nearest cursor at or before it. */
  function nextRead(): { readonly start: number; readonly cursor: string | null } | undefined {
    if (wanted === undefined) return undefined;
    const end = isCounted ? Math.min(wanted[1], total.peek() ?? wanted[1]) : wanted[1];
    let missing = Math.max(0, wanted[0]);
    while (missing < end && fresh.has(missing)) missing += 1;
    if (missing >= end) return undefined;
    let start = 0;
    for (const known of cursors.keys()) if (known <= missing && known > start) start = known;
    return { start, cursor: cursors.get(start) ?? null };
  }

  async function readMissing(): Promise<void> {
    isReading = true;
    try {
      for (let next = nextRead(); next !== undefined; next = nextRead()) {
        const { start, cursor } = next;
        const page = await read(cursor, pageSize, total.peek() === undefined);
        page.items.forEach((tile, at) => {
          tiles.set(start + at, tile);
          fresh.add(start + at);
        });
        const end = start + page.items.length;
        isCounted = true;
        if (page.nextCursor !== null) cursors.set(end, page.nextCursor);
        // The list became shorter or longer than it was when it was counted.
        if (page.nextCursor === null) total.value = end;
        else total.value = Math.max(page.total ?? total.peek() ?? 0, end + 1);
        error.value = undefined;
        version.value += 1;
      }
    } catch (reason) {
      error.value = reason;
    } finally {
      isReading = false;
    }
  }

  function work(): Promise<void> {
    if (!isReading) reading = readMissing();
    return reading;
  }

  return {
    total,
    version,
    error,
    at: (index) => tiles.get(index),
    ensure(from, to) {
      wanted = [from, to];
      return work();
    },
    renew() {
      fresh = new Set();
      isCounted = false;
      return work();
    },
    anchor: (index, cursor) => void (cursors.has(index) || cursors.set(index, cursor)),
  };
}

/** More are dropped, the oldest first. */
const maxKept = 12;
const kept = new Map<string, TileList<unknown>>();

/** Lists that were read before their page was shown: they are new. */
const readAhead = new Set<TileList<unknown>>();

function keep<Tile>(key: string, list: TileList<Tile>): TileList<Tile> {
  kept.delete(key);
  kept.set(key, list);
  for (const old of kept.keys()) {
    if (kept.size <= maxKept) break;
    kept.delete(old);
  }
  return list;
}

/** The list of a key as it was left, so that Back finds it whole; made where there is none. */
export function keptTileList<Tile>(key: string, make: () => TileList<Tile>): TileList<Tile> {
  const known = kept.get(key) as TileList<Tile> | undefined;
  // It is drawn first: a request costs milliseconds.
  if (known !== undefined && !readAhead.delete(known)) setTimeout(known.renew);
  return keep(key, known ?? make());
}

/** Reads the beginning of a list that was not shown yet, so that its page appears whole. */
export async function readTilesAhead<Tile>(key: string, make: () => TileList<Tile>): Promise<void> {
  if (kept.has(key)) return;
  const list = keep(key, make());
  readAhead.add(list);
  await list.ensure(0, 1);
}

/** Forgets all lists: another profile sees something else. */
export function forgetTileLists(): void {
  kept.clear();
  readAhead.clear();
}
