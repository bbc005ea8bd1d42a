/**
 * The sources that an admin chose. What a source says counts only when its pinned key signed it, and is
 * never replaced by something older: so neither a mirror nor whoever sits in between can change it, and
 * nobody can hide a revocation by handing out last month's index.
 */
import {
  KernelError,
  leadsTo,
  longestIndex,
  type Database,
  type Log,
  type MarketplaceIndex,
  type ReadIndex,
} from '../../kernel/index.ts';
import type { Viewer } from '../accounts/index.ts';
import type { RecordAudit } from '../audit/index.ts';
import { toTimestamp, type Clock } from '../clock.ts';
import { AppError } from '../errors.ts';
import type { SourceFetch } from '../net/index.ts';
import type { NewId } from '../uuid-v7.ts';
import { shownSource, type OpenSource, type ShownSource, type Source } from './source.ts';
import { deleteSource, insertSource, listSources, updateSource } from './source-store.ts';

/** A source to add. */
export interface NewSource {
  readonly url: string;
  readonly mirrors?: readonly string[] | undefined;
  /** The key that it must have; the one that it has is pinned when absent. */
  readonly publisherKey?: string | undefined;
}

/** The sources of a server. */
export interface Sources {
  /** Reads what was kept. */
  readonly open: () => Promise<void>;
  readonly all: () => readonly OpenSource[];
  readonly list: () => readonly ShownSource[];
  readonly add: (source: NewSource, viewer: Viewer) => Promise<ShownSource>;
  readonly remove: (id: string, viewer: Viewer) => Promise<void>;
  /** Asks every source; one that fails keeps what it said before, and says why. */
  readonly refresh: () => Promise<void>;
}

/** What they are made of. */
export interface SourcesParts {
  readonly database: Database;
  readonly fetch: SourceFetch;
  readonly readIndex: ReadIndex;
  readonly audit: RecordAudit;
  readonly clock: Pick<Clock, 'now'>;
  readonly newId: NewId;
  readonly log: Log;
}

const mostSources = 50;
const timeoutMs = 20_000;

/** An index that was fetched, or `null`: it is the one that is known. */
interface Fetched {
  readonly text: string;
  readonly etag: string | null;
  readonly index: MarketplaceIndex;
}

/** Creates them; nothing is read before `open`. */
export function createSources(parts: SourcesParts): Sources {
  const { database, fetch, readIndex, audit, clock, log } = parts;
  let known: readonly OpenSource[] = [];

  async function open(): Promise<void> {
    const sources = await listSources(database.read);
    const opened = await Promise.all(
      sources.map(async (source) => ({ source, read: await readIndex(source.indexText) })),
    );
    known = opened.flatMap(({ source, read }) => {
      if (read.ok) return [{ ...source, index: read.index }];
      log.warn({ source: source.url }, `A kept index cannot be used. ${read.fault}`);
      return [];
    });
  }

  async function ask(url: string, etag: string | null): Promise<Fetched | null> {
    const reply = await fetch({
      url,
      home: url,
      headers: { accept: 'application/json', ...(etag !== null && { 'if-none-match': etag }) },
      maxBytes: longestIndex,
      timeoutMs,
    });
    if (reply.status === 304 && etag !== null) return null;
    if (reply.status !== 200) throw failed(`The source answered with ${reply.status}.`);
    const text = new TextDecoder('utf-8').decode(reply.body);
    const read = await readIndex(text);
    if (!read.ok) throw new AppError('INDEX_INVALID', { what: read.fault });
    return { text, etag: reply.headers['etag'] ?? null, index: read.index };
  }

  const add: Sources['add'] = async ({ url, mirrors = [], publisherKey }, viewer) => {
    for (const address of [url, ...mirrors]) assertAddress(address);
    if (known.length >= mostSources)
      throw new AppError('conflict', {
        what: `There are ${mostSources} sources; remove one first.`,
      });
    const fetched = await ask(url, null).catch((error: unknown) => {
      if (!(error instanceof KernelError)) throw error;
      // An address that is never asked is the fault of who named it, not of who is there.
      throw error.code === 'net_refused'
        ? new AppError('invalid_request', { what: `body: ${error.message}` })
        : failed(error.message);
    });
    if (fetched === null) throw failed('The source sent nothing.');
    const { index, text, etag } = fetched;
    if (publisherKey !== undefined && publisherKey !== index.publisherKey) {
      const what = `The source is signed with the key ${index.publisherKey}, not with the one that was named.`;
      throw new AppError('PUBLISHER_CHANGED', { what });
    }
    const source: Source = {
      id: parts.newId(),
      url,
      mirrors,
      publisherKey: index.publisherKey,
      indexText: text,
      etag,
      fetchedAt: toTimestamp(clock.now()),
      error: null,
    };
    const twin = known.find((one) => one.url === url || one.publisherKey === source.publisherKey);
    if (twin) throw new AppError('conflict', { what: `${twin.url} is a source already.` });
    const details = { url, mirrors, publisherKey: source.publisherKey };
    await database.write(async (trx) => {
      await insertSource(trx, source);
      await audit(trx, entry(viewer, 'source_added', source.id, details));
    });
    const opened = { ...source, index };
    known = [...known, opened];
    return shownSource(opened);
  };

  const remove: Sources['remove'] = async (id, viewer) => {
    const source = known.find((one) => one.id === id);
    if (!source) throw new AppError('not_found', { what: `Source ${id}` });
    await database.write(async (trx) => {
      await deleteSource(trx, id);
      await audit(trx, entry(viewer, 'source_removed', id, { url: source.url }));
    });
    known = known.filter((one) => one.id !== id);
  };

  async function refreshOne(source: OpenSource): Promise<void> {
    let problem = 'It was not reached.';
    for (const [number, url] of [source.url, ...source.mirrors].entries()) {
      try {
        // A mirror has validators of its own.
        const fetched = await ask(url, number === 0 ? source.etag : null);
        await keep(source, fetched ? await accepted(source, fetched) : {});
        return;
      } catch (error) {
        if (!(error instanceof AppError || error instanceof KernelError)) throw error;
        problem = error.message;
      }
    }
    log.warn({ source: source.url }, `A marketplace source could not be refreshed. ${problem}`);
    await store({ ...source, error: problem });
  }

  /** What changes with an index that may take the place of the one that is known. */
  async function accepted(source: OpenSource, fetched: Fetched): Promise<Partial<OpenSource>> {
    const { index, text, etag } = fetched;
    const { publisherKey, rotations = [], updatedAt } = index;
    if (!(await leadsTo(source.publisherKey, publisherKey, rotations))) {
      const what = `The source is signed with another key, ${publisherKey}, and no rotation leads to it.`;
      throw new AppError('PUBLISHER_CHANGED', { what });
    }
    if (Date.parse(updatedAt) < Date.parse(source.index.updatedAt)) {
      const what = `Its index is of ${updatedAt}, older than the one of ${source.index.updatedAt} that is known.`;
      throw new AppError('INDEX_INVALID', { what });
    }
    return { index, indexText: text, etag, publisherKey };
  }

  const keep = (source: OpenSource, changes: Partial<OpenSource>): Promise<void> =>
    store({ ...source, ...changes, fetchedAt: toTimestamp(clock.now()), error: null });

  async function store(opened: OpenSource): Promise<void> {
    await database.write((trx) => updateSource(trx, opened));
    known = known.map((one) => (one.id === opened.id ? opened : one));
  }

  return {
    open,
    all: () => known,
    list: () => known.map(shownSource),
    add,
    remove,
    refresh: async () => {
      await Promise.all(known.map(refreshOne));
    },
  };
}

const failed = (what: string): AppError => new AppError('DOWNLOAD_FAILED', { what });

function assertAddress(address: string): void {
  if (URL.canParse(address) && /^https?:$/.test(new URL(address).protocol)) return;
  throw new AppError('invalid_request', {
    what: `body: ${address} is no address of an index, as https://plugins.example.org/index.json.`,
  });
}

const entry = (
  actor: Viewer,
  action: string,
  id: string,
  details: Readonly<Record<string, string | readonly string[]>>,
) => ({
  actor,
  action: `marketplace.${action}`,
  target: { type: 'marketplace_source', id },
  details,
});
