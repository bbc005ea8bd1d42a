import {
  hostService,
  KernelError,
  type HostInput,
  type HostService,
  type Reach,
} from '../../../../kernel/index.ts';
import type { Database } from '../../../../kernel/store/index.ts';
import type { LibraryInfo, ReconcileInput } from '../../../../plugin-api/index.ts';
import type { SearchProgress } from '../search/search-progress.ts';
import { isEndOfFeed, type ChangeFeed } from './change-feed.ts';
import { emptyFeed, type FeedFor } from '../tables/feed-filter.ts';
import { findLibrary, rootsOf } from '../tables/library-store.ts';
import { paceOf, type BackgroundScheduler } from '../../../platform/background-scheduler.ts';
import { pageRange } from '../scan/page-diff.ts';
import type { Reconcile } from '../scan/reconcile.ts';
import type { PageDigestWithParts, PageDigests } from '../scan/page-digests.ts';

const mostPages = 2000;
const mostPartedPages = 8;

/** The roots that a plugin may see: those of the library, or the folders of its scope. */
export function rootsIn(
  reach: Reach,
  { id, roots }: Pick<LibraryInfo, 'id' | 'roots'>,
): readonly string[] {
  const granted = reach === 'all' ? undefined : reach.find((one) => one.id === id);
  return granted?.folders ?? roots;
}

/** Without a scope check, only a caller that is not limited gets the feed. */
const nothingNarrowed: FeedFor = ({ reach, viewer }) =>
  reach === 'all' && viewer === null ? null : emptyFeed;

/** `host.library`: how plugins read the libraries, and how a scanner writes to them. */
export function createLibraryService(parts: {
  readonly database: Database;
  readonly feed: ChangeFeed;
  readonly reconcile: Reconcile;
  readonly pageDigests: Pick<PageDigests, 'list' | 'listWithParts'>;
  readonly background: Pick<BackgroundScheduler, 'waitForSlot' | 'batchSize'>;
  readonly feedFor?: FeedFor;
  /** Follows how far search plugins are. */
  readonly progress?: Pick<SearchProgress, 'turnOf' | 'before' | 'passed'>;
}): HostService<'library'> {
  const { feedFor = nothingNarrowed, pageDigests } = parts;

  /** Pages with the bounds that a scan of the root uses. */
  async function pagesOf(
    libraryNo: number,
    { root, after, withParts }: HostInput<'library', 'pages'>,
  ) {
    const whole = pageRange({ root, after: null, through: null });
    const range = { ...whole, after: after ?? whole.after };
    const stored: readonly PageDigestWithParts[] = withParts
      ? await pageDigests.listWithParts(libraryNo, range, mostPartedPages)
      : (await pageDigests.list(libraryNo, range)).slice(0, mostPages);
    return stored.map((page) => ({
      after: page.after === whole.after ? null : page.after,
      through: page.through === whole.through ? null : page.through,
      digest: page.digest,
      ...(page.parts !== undefined && { parts: page.parts }),
    }));
  }

  return hostService('library', {
    get: {
      subject: ({ libraryId }) => libraryId,
      run: async ({ libraryId }, { reach }) => {
        const row = await findLibrary(parts.database.read, libraryId);
        if (row === undefined) throw new KernelError('not_found', `Library ${libraryId}`);
        const { id, name, type } = row;
        return { id, name, type, roots: rootsIn(reach, { id, roots: rootsOf(row) }) };
      },
    },
    item: ({ itemId }, caller) => parts.feed.item(itemId, feedFor(caller)),
    changes: async ({ seq, limit }, caller) => {
      const { pluginId } = caller;
      const turn = () => paceOf(caller, parts.background).batchSize(limit);
      const size = (await parts.progress?.turnOf(pluginId, limit, turn)) ?? (await turn());
      const last = await parts.progress?.before(pluginId);
      const page = await parts.feed.changes({ seq, limit: size }, feedFor(caller));
      const all = last !== undefined && isEndOfFeed(page) ? Math.max(seq, last) : seq;
      parts.progress?.passed(pluginId, all);
      return page;
    },
    pages: {
      subject: ({ libraryId }) => libraryId,
      run: async (input) => {
        const row = await findLibrary(parts.database.read, input.libraryId);
        if (row === undefined) throw new KernelError('not_found', `Library ${input.libraryId}`);
        return { pages: await pagesOf(row.no, input) };
      },
    },
    reconcile: {
      subject: ({ libraryId }) => libraryId,
      run: (page, caller) =>
        parts.reconcile(wholeMilliseconds(page), { pace: paceOf(caller, parts.background) }),
    },
  });
}

/** Some file systems give fractions of a millisecond, which no column stores. */
function wholeMilliseconds(page: ReconcileInput): ReconcileInput {
  if (page.files.every(({ modifiedAt }) => Number.isSafeInteger(modifiedAt))) return page;
  const files = page.files.map((file) => ({ ...file, modifiedAt: Math.round(file.modifiedAt) }));
  return { ...page, files };
}
