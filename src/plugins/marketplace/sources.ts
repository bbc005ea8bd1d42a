/**
 * The sources that an admin chose. An index is accepted only with a signature of the pinned key,
 * and an older one never replaces a newer one, so neither a mirror nor an attacker on the network
 * can change it. A host that keeps serving today's index hides a revocation until that index
 * expires, and no longer.
 */
import { KernelError, type Log } from '../../../kernel/index.ts';
import type { Database } from '../../../kernel/store/index.ts';
import {
  isExpired,
  leadsTo,
  longestIndex,
  type MarketplaceIndex,
  type ReadIndex,
} from '../../../kernel/run/packages/index.ts';
import type { Viewer } from '../../people/viewer/index.ts';
import type { RecordAudit } from '../../platform/audit/index.ts';
import { toTimestamp, type Clock } from '../../platform/clock.ts';
import { AppError } from '../../platform/errors.ts';
import type { SourceFetch } from '../../platform/net/index.ts';
import type { NewId } from '../../platform/uuid-v7.ts';
import type { Admission, SourceMemory } from './source-memory.ts';
import { shownSource, withoutIndex, type OpenSource, type Source } from './source.ts';
import {
  deleteSource,
  insertSource,
  listSources,
  updateSource,
  type SourceChanges,
} from './source-store.ts';
import type { NewSource, ShownSource } from '../../contract/resources/plugins/marketplace.ts';

export interface SourcesParts {
  readonly database: Database;
  readonly memory: SourceMemory;
  readonly fetch: SourceFetch;
  readonly readIndex: ReadIndex;
  readonly audit: RecordAudit;
  readonly clock: Pick<Clock, 'now'>;
  readonly newId: NewId;
  readonly log: Log;
}

const mostSources = 50;
const timeoutMs = 20_000;
/** How often requests may ask one source for a newer index. */
const askAgainMs = 10_000;

/** A downloaded index, or `null`: it is unchanged. */
interface Fetched {
  readonly text: string;
  readonly etag: string | null;
  readonly index: MarketplaceIndex;
}

/** An index that replaces the known one. */
interface Accepted {
  readonly admission: Admission;
  readonly changes: Pick<OpenSource, 'index' | 'indexText' | 'etag' | 'publisherKey'>;
}

/** The sources of a server. */
export class Sources {
  readonly #parts: SourcesParts;
  readonly #askedAgainAt = new Map<string, number>();
  #known: readonly OpenSource[] = [];

  constructor(parts: SourcesParts) {
    this.#parts = parts;
  }

  /** Whether its index has expired, so that no plugin is installed from it. */
  readonly isExpired = ({ index }: OpenSource): boolean =>
    isExpired(index, this.#parts.clock.now());

  readonly #show = (source: OpenSource): ShownSource => shownSource(source, this.isExpired(source));

  /** Loads the stored sources. */
  readonly open = async (): Promise<void> => {
    const { database, readIndex, log, memory } = this.#parts;
    const sources = await listSources(database.read);
    const opened = await Promise.all(
      sources.map(async (source) => ({ source, read: await readIndex(source.indexText) })),
    );
    this.#known = opened.map(({ source, read }) => {
      if (read.ok) return { ...source, index: read.index };
      log.warn({ source: source.url }, `A stored index cannot be used. ${read.fault}`);
      return withoutIndex(source, `The stored index cannot be used. ${read.fault}`);
    });
    await memory.open();
  };

  async #ask(url: string, etag: string | null): Promise<Fetched | null> {
    const reply = await this.#parts.fetch({
      url,
      home: url,
      headers: { accept: 'application/json', ...(etag !== null && { 'if-none-match': etag }) },
      maxBytes: longestIndex,
      timeoutMs,
    });
    if (reply.status === 304 && etag !== null) return null;
    if (reply.status !== 200) throw failed(`The source replied with status ${reply.status}.`);
    const text = new TextDecoder('utf-8').decode(reply.body);
    const read = await this.#parts.readIndex(text);
    if (!read.ok) throw new AppError('INDEX_INVALID', { what: read.fault });
    return { text, etag: reply.headers['etag'] ?? null, index: read.index };
  }

  readonly add = async (
    { url, mirrors = [], publisherKey }: NewSource,
    viewer: Viewer,
  ): Promise<ShownSource> => {
    const { clock, memory, database, audit } = this.#parts;
    for (const address of [url, ...mirrors]) assertAddress(address);
    assertRoom(this.#known);
    const fetched = await this.#ask(url, null).catch((error: unknown) => {
      if (!(error instanceof KernelError)) throw error;
      // A failure at the named address is the fault of the request, not of the source.
      throw error.code === 'net_refused'
        ? new AppError('invalid_request', { what: `body: ${error.message}` })
        : failed(error.message);
    });
    if (fetched === null) throw failed('The source sent nothing.');
    const { index, text, etag } = fetched;
    if (publisherKey !== undefined && publisherKey !== index.publisherKey) {
      const what = `The source is signed with the key ${index.publisherKey}, not with the given key.`;
      throw new AppError('PUBLISHER_CHANGED', { what });
    }
    if (isExpired(index, clock.now()))
      throw new AppError('INDEX_EXPIRED', {
        what: `The index expired at ${index.expiresAt}; its publisher must sign it again.`,
      });
    const source: Source = {
      id: this.#parts.newId(),
      url,
      mirrors,
      publisherKey: index.publisherKey,
      indexText: text,
      etag,
      fetchedAt: toTimestamp(clock.now()),
      error: null,
    };
    const details = { url, mirrors, publisherKey: source.publisherKey };
    const admission = await memory.admit(index);
    await database.write(async (trx) => {
      // Another request, here or on another server, may have added one meanwhile.
      const stored = await listSources(trx);
      assertRoom(stored);
      assertNoTwin(stored, source);
      await memory.keep(trx, admission);
      await insertSource(trx, source);
      await audit(trx, entry(viewer, 'source_added', source.id, details));
    });
    await memory.open();
    const opened = { ...source, index };
    this.#known = [...this.#known, opened];
    return this.#show(opened);
  };

  readonly remove = async (id: string, viewer: Viewer): Promise<void> => {
    const source = this.#known.find((one) => one.id === id);
    if (!source) throw new AppError('not_found', { what: `Source ${id}` });
    await this.#parts.database.write(async (trx) => {
      await deleteSource(trx, id);
      await this.#parts.audit(trx, entry(viewer, 'source_removed', id, { url: source.url }));
    });
    this.#known = this.#known.filter((one) => one.id !== id);
    this.#askedAgainAt.delete(id);
  };

  readonly #refreshOne = async (source: OpenSource): Promise<void> => {
    let problem = 'It could not be reached.';
    for (const [number, url] of [source.url, ...source.mirrors].entries()) {
      try {
        // The validators of the cache apply to the first address only; a mirror has its own.
        const fetched = await this.#ask(url, number === 0 ? source.etag : null);
        await this.#keep(source, fetched && (await this.#accepted(source, fetched)));
        return;
      } catch (error) {
        if (!(error instanceof AppError || error instanceof KernelError)) throw error;
        problem = error.message;
      }
    }
    this.#parts.log.warn(
      { source: source.url },
      `A marketplace source could not be refreshed. ${problem}`,
    );
    await this.#store(source.id, { error: problem }, null);
  };

  /** Checks an index that may replace the known one; returns the changes that it brings. */
  async #accepted(source: OpenSource, { index, text, etag }: Fetched): Promise<Accepted> {
    const { publisherKey, rotations = [], indexId } = index;
    if (source.index.indexId !== '' && source.index.indexId !== indexId) {
      const what =
        'It now has a different index, not a later one. If its publisher started a new one, remove the source and add it again.';
      throw new AppError('INDEX_INVALID', { what });
    }
    if (!(await leadsTo(source.publisherKey, publisherKey, rotations))) {
      const what = `The source is signed with a different key, ${publisherKey}, and no rotation leads to it.`;
      throw new AppError('PUBLISHER_CHANGED', { what });
    }
    const admission = await this.#parts.memory.admit(index);
    const changes = { index, indexText: text, etag, publisherKey };
    return { admission, changes };
  }

  readonly #keep = (source: OpenSource, accepted: Accepted | null): Promise<void> => {
    const fetchedAt = toTimestamp(this.#parts.clock.now());
    const changes = { ...accepted?.changes, fetchedAt, error: null };
    return this.#store(source.id, changes, accepted?.admission ?? null);
  };

  /**
   * Stores what one request has changed, and no more: while it was under way, another request, here
   * or on another server, may have brought a newer index.
   */
  async #store(
    id: string,
    changes: SourceChanges & Partial<Pick<OpenSource, 'index'>>,
    admission: Admission | null,
  ): Promise<void> {
    await this.#parts.database.write(async (trx) => {
      if (admission) await this.#parts.memory.keep(trx, admission);
      await updateSource(trx, id, changes);
    });
    this.#known = this.#known.map((one) => (one.id === id ? { ...one, ...changes } : one));
  }

  readonly all = (): readonly OpenSource[] => this.#known;

  readonly list = (): readonly ShownSource[] => this.#known.map(this.#show);

  /** Downloads every index; a source that fails keeps its previous index, with an error. */
  readonly refresh = async (): Promise<void> => {
    await Promise.all(this.#known.map(this.#refreshOne));
    await this.#parts.memory.open();
  };

  /** Asks one source for a newer index; `false` = it was asked a moment ago, or is unknown. */
  readonly askAgain = async (id: string): Promise<boolean> => {
    const { clock, memory } = this.#parts;
    const source = this.#known.find((one) => one.id === id);
    const isSoon = clock.now() - (this.#askedAgainAt.get(id) ?? -Infinity) < askAgainMs;
    if (source === undefined || isSoon) return false;
    this.#askedAgainAt.set(id, clock.now());
    await this.#refreshOne(source);
    await memory.open();
    return true;
  };
}

/** Creates them; nothing is loaded before `open`. */
export const createSources = (parts: SourcesParts): Sources => new Sources(parts);

function assertRoom(sources: readonly unknown[]): void {
  if (sources.length < mostSources) return;
  throw new AppError('conflict', { what: `There are ${mostSources} sources; remove one first.` });
}

function assertNoTwin(stored: readonly Source[], { url, publisherKey }: Source): void {
  const twin = stored.find((one) => one.url === url || one.publisherKey === publisherKey);
  if (twin) throw new AppError('conflict', { what: `${twin.url} is a source already.` });
}

const failed = (what: string): AppError => new AppError('DOWNLOAD_FAILED', { what });

function assertAddress(address: string): void {
  if (URL.canParse(address) && /^https?:$/.test(new URL(address).protocol)) return;
  throw new AppError('invalid_request', {
    what: `body: ${address} is not the address of an index, such as https://plugins.example.org/index.json.`,
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
  change: 'event' as const,
  target: { type: 'marketplace_source', id },
  details,
});
