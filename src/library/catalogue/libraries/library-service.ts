import {
  KernelError,
  type HostCaller,
  type HostService,
  type Reach,
} from '../../../../kernel/index.ts';
import type { Database } from '../../../../kernel/storage/index.ts';
import type { LibraryInfo, LibraryService, ReconcileInput } from '../../../../plugin-api/index.ts';
import type { ChangeFeed } from './change-feed.ts';
import { emptyFeed, type FeedFor } from '../tables/feed-filter.ts';
import { findLibrary, rootsOf } from '../tables/library-store.ts';
import { paceOf, type BackgroundScheduler } from '../../../platform/background-scheduler.ts';
import { pageRange } from '../scan/page-diff.ts';
import type { Reconcile } from '../scan/reconcile.ts';
import type { PageDigestWithParts, PageDigests } from '../scan/page-digests.ts';

type Input<Method extends keyof LibraryService> = Parameters<LibraryService[Method]>[0];

const id = { type: 'string', minLength: 1, maxLength: 100 };
/** Printable ASCII, so that the order of characters is the order of bytes in every database. */
const uri = { type: 'string', minLength: 1, maxLength: 16_384, pattern: '^[\\x21-\\x7e]+$' };
const count = { type: 'integer', minimum: 0, maximum: Number.MAX_SAFE_INTEGER };

const digest = { type: 'string', minLength: 1, maxLength: 200 };

const scannedFile = closed(
  { uri, size: count, modifiedAt: { type: 'number' } },
  { type: { enum: ['media', 'auxiliary'] } },
);

/** Part digests in the filesystem's own form. */
const pageParts = { type: 'string', maxLength: 65_536, pattern: '^[\\x20-\\x7e]*$' };

const stretch = closed({
  after: { anyOf: [uri, { type: 'null' }] },
  through: { anyOf: [uri, { type: 'null' }] },
});

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
}): HostService {
  const { feedFor = nothingNarrowed, pageDigests } = parts;
  const read = { name: 'library', level: 'read' } as const;

  /** Pages with the bounds that a scan of the root uses. */
  async function pagesOf(libraryNo: number, { root, after, withParts }: Input<'pages'>) {
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

  return {
    name: 'library',
    methods: {
      get: {
        permission: read,
        input: closed({ libraryId: id }),
        subject: ({ libraryId }: Input<'get'>) => libraryId,
        run: async ({ libraryId }: Input<'get'>, { reach }: HostCaller): Promise<LibraryInfo> => {
          const row = await findLibrary(parts.database.read, libraryId);
          if (row === undefined) throw new KernelError('not_found', `Library ${libraryId}`);
          const { id: found, name, type } = row;
          const roots = rootsIn(reach, { id: found, roots: rootsOf(row) });
          return { id: found, name, type, roots };
        },
      },
      item: {
        permission: read,
        input: closed({ itemId: id }),
        raw: true,
        run: ({ itemId }: Input<'item'>, caller: HostCaller) =>
          parts.feed.item(itemId, feedFor(caller)),
      },
      changes: {
        permission: read,
        input: closed({ seq: count, limit: { type: 'integer', minimum: 1, maximum: 500 } }),
        raw: true,
        run: async ({ seq, limit }: Input<'changes'>, caller: HostCaller) => {
          const size = await paceOf(caller, parts.background).batchSize(limit);
          return parts.feed.changes({ seq, limit: size }, feedFor(caller));
        },
      },
      pages: {
        permission: { name: 'library', level: 'write' },
        input: closed(
          { libraryId: id, root: uri, after: { anyOf: [uri, { type: 'null' }] } },
          { withParts: { const: true } },
        ),
        subject: ({ libraryId }: Input<'pages'>) => libraryId,
        run: async (input: Input<'pages'>) => {
          const row = await findLibrary(parts.database.read, input.libraryId);
          if (row === undefined) throw new KernelError('not_found', `Library ${input.libraryId}`);
          return { pages: await pagesOf(row.no, input) };
        },
      },
      reconcile: {
        permission: { name: 'library', level: 'write' },
        isElsewhere: true,
        input: closed(
          {
            libraryId: id,
            root: uri,
            after: { anyOf: [uri, { type: 'null' }] },
            through: { anyOf: [uri, { type: 'null' }] },
            files: {
              type: 'array',
              maxItems: 1000,
              items: scannedFile,
            },
            unreadable: { type: 'array', maxItems: 10_000, items: uri },
          },
          {
            digest,
            isKnown: { const: true },
            digests: { type: 'array', items: digest, minItems: 1, maxItems: 64 },
            parts: pageParts,
            stretches: { type: 'array', maxItems: 200, items: stretch },
            known: digest,
          },
        ),
        subject: ({ libraryId }: ReconcileInput) => libraryId,
        run: (page: ReconcileInput, caller: HostCaller) =>
          parts.reconcile(wholeMilliseconds(page), { pace: paceOf(caller, parts.background) }),
      },
    },
  };
}

/** Some file systems give fractions of a millisecond, which no column stores. */
function wholeMilliseconds(page: ReconcileInput): ReconcileInput {
  if (page.files.every(({ modifiedAt }) => Number.isSafeInteger(modifiedAt))) return page;
  const files = page.files.map((file) => ({ ...file, modifiedAt: Math.round(file.modifiedAt) }));
  return { ...page, files };
}

function closed(
  properties: Readonly<Record<string, object>>,
  optional: Readonly<Record<string, object>> = {},
): object {
  return {
    type: 'object',
    additionalProperties: false,
    required: Object.keys(properties),
    properties: { ...properties, ...optional },
  };
}
