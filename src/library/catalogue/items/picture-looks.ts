/**
 * Remembers how pictures look, so that tiles show a colour and a blurred picture at once. A look is
 * stored when a picture is made in some size for the first time. Looks that come together are stored
 * together, since each write makes the kept lists stale.
 */
import { LRUCache } from 'lru-cache';
import type { Database } from '../../../../kernel/store/index.ts';
import type { Log } from '../../../../kernel/index.ts';
import {
  readLooks,
  saveLooks,
  type PictureLook,
  type PictureLookRow,
} from '../tables/picture-look-store.ts';

export type PictureLooks = ReturnType<typeof createPictureLooks>;

export interface PictureLooksParts {
  readonly database: Pick<Database, 'read' | 'write' | 'insertRows'>;
  readonly log: Pick<Log, 'warn'>;
}

/** Addresses that are known to be stored are not read again. */
const mostRemembered = 20_000;
/** An index holds no longer text in PostgreSQL. */
const longestUri = 2000;

export function createPictureLooks({ database, log }: PictureLooksParts) {
  // With `max`, it would take the memory of all entries at once.
  const stored = new LRUCache<string, string>({
    maxSize: mostRemembered,
    sizeCalculation: () => 1,
  });
  let waiting = new Map<string, PictureLookRow>();
  let saving: Promise<void> | null = null;

  async function save(rows: readonly PictureLookRow[]): Promise<void> {
    const uris = rows.map(({ uri }) => uri);
    const known = new Map((await readLooks(database.read, uris)).map((row) => [row.uri, row]));
    const fresh = rows.filter((row) => printOf(known.get(row.uri)) !== printOf(row));
    if (fresh.length > 0) await database.write((trx) => saveLooks(database.insertRows, trx, fresh));
    for (const row of rows) stored.set(row.uri, printOf(row));
  }

  async function saveAll(): Promise<void> {
    while (waiting.size > 0) {
      const rows = [...waiting.values()];
      waiting = new Map();
      try {
        await save(rows);
      } catch (err) {
        log.warn({ err }, 'Colours of pictures could not be stored');
      }
    }
    saving = null;
  }

  return {
    /** Stores a look unless it is stored already. It never rejects: a failure is logged. */
    remember: async (uri: string, { color, thumbhash }: PictureLook): Promise<void> => {
      const row = { uri, color, thumbhash };
      if (uri.length > longestUri || stored.get(uri) === printOf(row)) return;
      waiting.set(uri, row);
      saving ??= saveAll();
      await saving;
    },
  };
}

const printOf = (look: PictureLook | undefined): string =>
  look === undefined ? '' : `${look.color} ${look.thumbhash}`;
