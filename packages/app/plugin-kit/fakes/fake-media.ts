/** `host.media` over a fake library, with the marks of profiles. */
import type { HostService } from '../../../../kernel/index.ts';
import type { MediaFound, MediaItem, MediaQuery, MediaTile } from '../../../../plugin-api/index.ts';
import { createMediaService } from '../../../../src/library/catalogue/media/index.ts';
import type { Viewer } from '../../../../src/people/viewer/index.ts';
import { AppError } from '../../../../src/platform/errors.ts';
import type { PluginReach } from '../../../../src/plugins/scopes/index.ts';
import type { FakeItem } from './fake-item.ts';
import type { FakeLibrary } from './fake-library.ts';
import { fits, inOrder } from './fake-media-query.ts';
import { toMediaItem, toMediaTile } from './fake-media-shapes.ts';
import { withMarks, type ViewingState } from './fake-viewing.ts';
import { sees } from './made-viewer.ts';

const usualLimit = 50;

/** Creates the service. The inputs, the grant and the viewer are checked by the code of the server. */
export function createFakeMedia(
  library: FakeLibrary,
  { mediaScopeFor }: Pick<PluginReach, 'mediaScopeFor'>,
  state: ViewingState,
): HostService<'media'> {
  const libraryOf = ({ libraryId }: FakeItem) =>
    library.libraries().find(({ id }) => id === libraryId);

  const seenBy = (viewer: Viewer): readonly FakeItem[] =>
    library.items().filter(({ libraryId }) => sees(viewer, libraryId));

  function page<Shape>(
    viewer: Viewer,
    query: Omit<MediaQuery, 'fields'>,
    shape: (item: FakeItem, viewer: Viewer) => Shape,
  ) {
    const { limit = usualLimit, cursor = '0', includeTotal = false } = query;
    const start = Number(cursor);
    if (!Number.isSafeInteger(start)) throw otherCursor();
    const marksOf = marksFor(viewer);
    const isListed = ({ id }: FakeItem): boolean =>
      query.collectionId === undefined ||
      state.list(query.collectionId, viewer.profileId).entries.some(({ itemId }) => itemId === id);
    const found = seenBy(viewer).filter(
      (item) =>
        isListed(item) && fits(item, libraryOf(item)?.type ?? '', { query, marks: marksOf(item) }),
    );
    const sorted = inOrder(found, query, marksOf);
    const end = start + limit;
    return {
      items: sorted.slice(start, end).map((item) => shape(item, viewer)),
      nextCursor: end < sorted.length ? String(end) : null,
      ...(includeTotal && { total: sorted.length }),
    };
  }

  const marksFor = (viewer: Viewer) => (item: FakeItem) => state.marksOf(viewer.profileId, item.id);
  const itemOf = (item: FakeItem, viewer: Viewer): MediaItem =>
    withMarks(toMediaItem(item, libraryOf(item)?.name ?? ''), marksFor(viewer)(item));
  const tileOf = (item: FakeItem, viewer: Viewer): MediaTile => {
    const { completed: watched, favourite } = marksFor(viewer)(item);
    return { ...toMediaTile(item, libraryOf(item)?.type ?? ''), watched, favourite };
  };

  return createMediaService({
    items: {
      list: async (viewer, query) => page(viewer, query, itemOf),
      tiles: async (viewer, query) => page(viewer, query, tileOf),
      get: async (id, viewer) => {
        const found = seenBy(viewer).find((item) => item.id === id);
        if (found === undefined) throw new AppError('not_found', { what: `Item ${id}` });
        return itemOf(found, viewer);
      },
    },
    search: {
      query: async (viewer, question) =>
        search(seenBy(viewer), question, (item) => itemOf(item, viewer)),
    },
    librariesOf: async (viewer) => library.libraries().filter(({ id }) => sees(viewer, id)),
    scopeFor: mediaScopeFor,
    servesSearch: () => false,
  });
}

/** Items and entities whose names have each word. */
function search(
  items: readonly FakeItem[],
  { q, limit = 20 }: { readonly q: string; readonly limit?: number },
  shape: (item: FakeItem) => MediaItem,
): MediaFound {
  const words = q.toLowerCase().split(/\s+/).filter(Boolean);
  const hasAll = (name: string): boolean =>
    words.every((word) => name.toLowerCase().includes(word));
  const found = items.filter(({ title }) => hasAll(title));
  const entities = new Map(
    items
      .flatMap((item) => item.entities)
      .filter(({ name }) => hasAll(name))
      .map(({ id, type, name }) => [id, { id, type, name, confidence: 1 }]),
  );
  return {
    items: found.slice(0, limit).map((item) => ({ ...shape(item), confidence: 1 })),
    itemsTotal: found.length,
    entities: [...entities.values()].slice(0, limit),
  };
}

const otherCursor = (): AppError =>
  new AppError('invalid_request', {
    what: 'query.cursor is not from this list; leave it out to start from the beginning.',
  });
