/** `host.viewing` over a fake library. The inputs, the grant and the viewer are checked by the server's code. */
import type { HostService } from '../../../../kernel/index.ts';
import type { MediaItem } from '../../../../plugin-api/index.ts';
import type { Viewer } from '../../../../src/people/viewer/index.ts';
import { AppError } from '../../../../src/platform/errors.ts';
import type { PluginReach } from '../../../../src/plugins/scopes/index.ts';
import {
  createViewingService,
  type ViewingServiceParts,
} from '../../../../src/viewing/host-viewing/index.ts';
import type { FakeItem } from './fake-item.ts';
import type { FakeLibrary } from './fake-library.ts';
import { toMediaItem } from './fake-media-shapes.ts';
import { nextOf, toCollection, withMarks, type ViewingState } from './fake-viewing.ts';
import { sees } from './made-viewer.ts';

export interface FakeViewingParts extends Pick<ViewingServiceParts, 'agreed'> {
  readonly library: FakeLibrary;
  readonly state: ViewingState;
  readonly reach: Pick<PluginReach, 'mediaScopeFor'>;
  readonly now: () => number;
}

export function createFakeViewing(parts: FakeViewingParts): HostService<'viewing'> {
  const { library, reach, agreed, now } = parts;
  return createViewingService({
    playback: playbackOf(parts),
    marks: marksOf(parts),
    collections: collectionsOf(parts),
    entries: entriesOf(parts),
    hasItem: async (id, viewer) =>
      seenBy(library, viewer).some((item) => item.id === id) || notEntity(id, library),
    scopeFor: reach.mediaScopeFor,
    agreed,
    newId: () => parts.state.newId(),
    now,
  });
}

const seenBy = (library: FakeLibrary, viewer: Viewer): readonly FakeItem[] =>
  library.items().filter(({ libraryId }) => sees(viewer, libraryId));

/** What names no entity is taken for an item, which is not there. */
const notEntity = (id: string, library: FakeLibrary): boolean =>
  !library.items().some(({ entities }) => entities.some((one) => one.id === id));

function itemFor({ library, state }: FakeViewingParts, item: FakeItem, viewer: Viewer): MediaItem {
  const name = library.libraries().find(({ id }) => id === item.libraryId)?.name ?? '';
  return withMarks(toMediaItem(item, name), state.marksOf(viewer.profileId, item.id));
}

/** Throws `not_found` for an item that the viewer does not see. */
function found({ library }: FakeViewingParts, id: string, viewer: Viewer): FakeItem {
  const item = seenBy(library, viewer).find((one) => one.id === id);
  if (item) return item;
  throw new AppError('not_found', { what: `Item ${id}` });
}

/** The items of an entity that the viewer sees. */
function ofEntity({ library }: FakeViewingParts, id: string, viewer: Viewer): readonly FakeItem[] {
  const items = seenBy(library, viewer).filter(({ entities }) =>
    entities.some((one) => one.id === id),
  );
  if (items.length > 0) return items;
  throw new AppError('not_found', { what: `Entity ${id}` });
}

type Page = { readonly limit?: number | undefined; readonly cursor?: string | undefined };

function pageOf<Shape>(all: readonly Shape[], { limit = 50, cursor = '0' }: Page) {
  const start = Number(cursor);
  if (!Number.isSafeInteger(start))
    throw new AppError('invalid_request', {
      what: 'query.cursor is not from this list; leave it out to start from the beginning.',
    });
  const end = start + limit;
  return { shown: all.slice(start, end), nextCursor: end < all.length ? String(end) : null };
}

function playbackOf(parts: FakeViewingParts): ViewingServiceParts['playback'] {
  const { library, state, now } = parts;
  const itemsPage = (items: readonly FakeItem[], viewer: Viewer, page: Page) => {
    const { shown, nextCursor } = pageOf(items, page);
    return { items: shown.map((item) => itemFor(parts, item, viewer)), nextCursor };
  };
  const setWatched = (id: string, watched: boolean, { profileId }: Viewer): boolean => {
    const { completed, playCount, playedAt } = state.marksOf(profileId, id);
    const marks = watched
      ? { playCount: Math.max(1, playCount), playedAt: playedAt ?? now() }
      : { playCount: 0, playedAt: null };
    state.mark(profileId, id, { ...marks, completed: watched, position: 0 });
    return completed !== watched;
  };
  const nextIn = (id: string, viewer: Viewer): FakeItem | undefined =>
    nextOf(ofEntity(parts, id, viewer), (one) => state.marksOf(viewer.profileId, one));
  return {
    continueWatching: async (viewer, page) => {
      const begun = seenBy(library, viewer).filter(({ id }) => {
        const { completed, position } = state.marksOf(viewer.profileId, id);
        return !completed && position > 0;
      });
      return itemsPage(begun, viewer, page);
    },
    nextUp: async (viewer, page) => {
      const watched = seenBy(library, viewer).filter(
        ({ id }) => state.marksOf(viewer.profileId, id).completed,
      );
      const shows = new Set(watched.flatMap(({ entities }) => entities.flatMap(showId)));
      return itemsPage(
        [...shows].flatMap((id) => nextIn(id, viewer) ?? []),
        viewer,
        page,
      );
    },
    nextOfShow: async (viewer, showId) => {
      const next = nextIn(showId, viewer);
      return next && itemFor(parts, next, viewer);
    },
    put: async (itemId, { position, completed = false, duration = 0, secondsAgo = 0 }, viewer) => {
      found(parts, itemId, viewer);
      const before = state.marksOf(viewer.profileId, itemId);
      const playedAt = now() - secondsAgo * 1000;
      if (secondsAgo > 0 && (before.playedAt ?? 0) > playedAt) return { ...before, duration };
      const playCount = before.playCount + (completed && !before.completed ? 1 : 0);
      const marks = { position: completed ? 0 : position, playCount, playedAt };
      const isDone = completed || before.completed;
      return { ...state.mark(viewer.profileId, itemId, { ...marks, completed: isDone }), duration };
    },
    setWatched: async (id, watched, viewer) => {
      found(parts, id, viewer);
      setWatched(id, watched, viewer);
      return { ...state.marksOf(viewer.profileId, id), duration: 0 };
    },
    setWatchedEntity: async (id, watched, viewer) =>
      ofEntity(parts, id, viewer).filter((item) => setWatched(item.id, watched, viewer)).length,
  };
}

const showId = ({ id, type }: FakeItem['entities'][number]): readonly string[] =>
  type === 'series' ? [id] : [];

function marksOf(parts: FakeViewingParts): ViewingServiceParts['marks'] {
  const { state } = parts;
  type Said = Partial<{ readonly favourite: boolean; readonly rating: number | null }>;
  const say = (id: string, said: Said, { profileId }: Viewer) => {
    const { favourite, rating: myRating } = state.mark(profileId, id, said);
    return { favourite, myRating };
  };
  const ofItem = (id: string, said: Said, viewer: Viewer) => {
    found(parts, id, viewer);
    return say(id, said, viewer);
  };
  const ofThat = (id: string, said: Said, viewer: Viewer) => {
    ofEntity(parts, id, viewer);
    return say(id, said, viewer);
  };
  return {
    setFavourite: async (id, favourite, viewer) => ofItem(id, { favourite }, viewer),
    setFavouriteEntity: async (id, favourite, viewer) => ofThat(id, { favourite }, viewer),
    rate: async (id, rating, viewer) => ofItem(id, { rating }, viewer),
    rateEntity: async (id, rating, viewer) => ofThat(id, { rating }, viewer),
  };
}

function collectionsOf(parts: FakeViewingParts): ViewingServiceParts['collections'] {
  const { library, state } = parts;
  const shown = (id: string, viewer: Viewer) => {
    const seen = new Set(seenBy(library, viewer).map((item) => item.id));
    return toCollection(state.list(id, viewer.profileId), viewer, (itemId) => seen.has(itemId));
  };
  return {
    create: async ({ kind = 'collection', name, description = null }, viewer) => {
      const { profileId } = viewer;
      return shown(state.make({ kind, name, description, profileId }).id, viewer);
    },
    get: async (id, viewer) => shown(id, viewer),
    list: async (viewer, page) => {
      const { shown: ids, nextCursor } = pageOf(
        state.listsOf(viewer.profileId).map(({ id }) => id),
        page,
      );
      return { collections: ids.map((id) => shown(id, viewer)), nextCursor };
    },
    update: async (id, { name, description }, viewer) => {
      const list = state.list(id, viewer.profileId);
      state.keep({
        ...list,
        name: name ?? list.name,
        description: description === undefined ? list.description : description,
      });
      return shown(id, viewer);
    },
    remove: async (id, viewer) => state.drop(state.list(id, viewer.profileId).id),
    putItem: async (id, { itemId, position }, viewer) => {
      found(parts, itemId, viewer);
      const list = state.list(id, viewer.profileId);
      const others = list.entries.filter((one) => one.itemId !== itemId);
      const at = position ?? others.length;
      state.keep({ ...list, entries: others.toSpliced(at, 0, { id: itemId, itemId }) });
      return shown(id, viewer);
    },
    removeItem: async (id, itemId, viewer) => {
      const list = state.list(id, viewer.profileId);
      state.keep({ ...list, entries: list.entries.filter((one) => one.itemId !== itemId) });
    },
  };
}

function entriesOf(parts: FakeViewingParts): ViewingServiceParts['entries'] {
  const { library, state } = parts;
  const playlist = (id: string, { profileId }: Viewer) => {
    const list = state.list(id, profileId);
    if (list.kind === 'playlist') return list;
    throw new AppError('conflict', { what: `${list.name} is a collection.` });
  };
  const entriesFor = (itemIds: readonly string[], viewer: Viewer) =>
    itemIds.map((itemId) => ({ id: state.newId(), itemId: found(parts, itemId, viewer).id }));
  return {
    list: async (id, viewer, page) => {
      const seen = new Map(seenBy(library, viewer).map((item) => [item.id, item]));
      const all = playlist(id, viewer).entries.flatMap((entry, position) => {
        const item = seen.get(entry.itemId);
        return item ? [{ id: entry.id, position, item: itemFor(parts, item, viewer) }] : [];
      });
      const { shown, nextCursor } = pageOf(all, page);
      return { entries: shown, nextCursor };
    },
    add: async (id, { itemIds, position }, viewer) => {
      const list = playlist(id, viewer);
      const added = entriesFor(itemIds, viewer);
      const at = position ?? list.entries.length;
      state.keep({ ...list, entries: list.entries.toSpliced(at, 0, ...added) });
      return [];
    },
    remove: async (id, entryId, viewer) => {
      const list = playlist(id, viewer);
      state.keep({ ...list, entries: list.entries.filter((one) => one.id !== entryId) });
    },
    replace: async (id, { itemIds, within }, viewer) => {
      const list = playlist(id, viewer);
      const added = entriesFor(itemIds, viewer);
      const seen = new Set(seenBy(library, viewer).map((item) => item.id));
      const isWithin = await within?.(list.entries.map(({ itemId }) => itemId));
      const left = list.entries.filter(
        ({ itemId }, at) => !seen.has(itemId) || isWithin?.[at] === false,
      );
      state.keep({ ...list, entries: [...left, ...added] });
    },
  };
}
