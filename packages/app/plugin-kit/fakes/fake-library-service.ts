/** `host.library` over a fake library. The schemas of the real service check the inputs. */
import { KernelError, type HostService } from '../../../../kernel/index.ts';
import type { Database } from '../../../../kernel/store/index.ts';
import type {
  LibraryChange,
  LibraryInfo,
  ReconcileInput,
  ReconcileResult,
  ScannedFile,
} from '../../../../plugin-api/index.ts';
import { createLibraryService, rootsIn } from '../../../../src/library/catalogue/index.ts';
import type { PluginReach } from '../../../../src/plugins/scopes/index.ts';
import { indexedItem } from './fake-item.ts';
import type { FakeLibrary } from './fake-library.ts';

/** Creates it. The database is the server's own; nothing of it is read. */
export function createFakeLibraryService(
  library: FakeLibrary,
  database: Database,
  { feedFor }: Pick<PluginReach, 'feedFor'>,
): HostService<'library'> {
  const service = createLibraryService({
    database,
    feed: {
      changes: async ({ seq, limit }, filter) => {
        const page = pageOf(library, seq, limit);
        if (filter === null) return JSON.stringify(page);
        const within = await filter.items(page.changes.map(itemIdOf));
        return JSON.stringify({ ...page, changes: page.changes.filter((_, at) => within[at]) });
      },
      item: async (itemId) => JSON.stringify(indexed(library, itemId)),
    },
    reconcile: async (page) => reconcile(library, page),
    pageDigests: { list: async () => [], listWithParts: async () => [] },
    background: { waitForSlot: async () => {}, batchSize: async (wanted) => wanted },
    feedFor,
  });
  const { get, pages } = service.methods;
  const find = ({ libraryId }: { readonly libraryId: string }) => findLibrary(library, libraryId);
  return {
    ...service,
    methods: {
      ...service.methods,
      get: {
        ...get,
        run: async (input, { reach }) => {
          const found = find(input);
          return { ...found, roots: rootsIn(reach, found) };
        },
      },
      pages: {
        ...pages,
        run: async (input) => {
          find(input);
          return { pages: [] };
        },
      },
    },
  };
}

function findLibrary(library: FakeLibrary, id: string): LibraryInfo {
  const found = library.libraries().find((one) => one.id === id);
  if (found) return found;
  throw new KernelError('not_found', `Library ${id}`);
}

/** Only items change here. */
function itemIdOf(change: LibraryChange): string {
  switch (change.kind) {
    case 'present':
      return change.item.id;
    case 'removed':
      return change.itemId;
    case 'entity-left':
      return change.entityId;
  }
}

function indexed(library: FakeLibrary, itemId: string) {
  const found = library.items().find(({ id }) => id === itemId);
  if (!found) throw new KernelError('not_found', `Item ${itemId}`);
  return indexedItem(found);
}

function pageOf(library: FakeLibrary, seq: number, limit: number) {
  const later = library.changesAfter(seq);
  const changes = later.slice(0, limit);
  return { changes, seq: changes.at(-1)?.seq ?? seq, done: changes.length === later.length };
}

function reconcile(library: FakeLibrary, page: ReconcileInput): ReconcileResult {
  const owner = findLibrary(library, page.libraryId);
  if (page.isKnown || page.stretches)
    throw new KernelError('conflict', 'The page is not known; send its files.');
  const known = new Map(
    library
      .files()
      .filter(({ uri }) => isInRange(page, uri))
      .map((file) => [file.uri, file]),
  );
  const counts = { added: 0, changed: 0, moved: 0, gone: 0, unchanged: 0 };
  for (const file of page.files) {
    const before = known.get(file.uri);
    known.delete(file.uri);
    if (before && isSame(before, file)) counts.unchanged += 1;
    else {
      library.scanned(owner, file);
      if (file.type !== 'auxiliary') counts[before ? 'changed' : 'added'] += 1;
    }
  }
  for (const { uri, type } of known.values()) {
    if (page.unreadable.some((folder) => uri.startsWith(`${folder}/`))) continue;
    library.forget(uri);
    if (type === 'media') counts.gone += 1;
  }
  return counts;
}

const isSame = (one: ScannedFile, other: ScannedFile): boolean =>
  one.size === other.size && one.modifiedAt === other.modifiedAt;

const isInRange = ({ root, after, through }: ReconcileInput, uri: string): boolean =>
  uri.startsWith(`${root}/`) &&
  (after === null || uri > after) &&
  (through === null || uri <= through);
