/** `host.media`: the items of the libraries for plugins, as clients see them. */
import {
  hostService,
  KernelError,
  type HostCaller,
  type HostService,
} from '../../../../kernel/index.ts';
import type {
  MediaCounts,
  MediaFilters,
  MediaFound,
  MediaItem,
  MediaPage,
  MediaQuery,
  MediaTile,
} from '../../../../plugin-api/index.ts';
import type { Viewer } from '../../../people/viewer/index.ts';
import { answered } from './answered.ts';
import { readWithin, type ReadPage } from './media-pages.ts';
import type { MediaScope, MediaScopeFor } from './media-scope.ts';

export interface MediaServiceParts {
  /** Each obeys the access filter. */
  readonly items: {
    readonly list: ReadPage<MediaItem>;
    readonly tiles: ReadPage<MediaTile>;
    readonly get: (id: string, viewer: Viewer) => Promise<MediaItem>;
  };
  readonly search: {
    readonly query: (viewer: Viewer, question: Question) => Promise<MediaFound>;
  };
  /** The libraries of which the viewer may see items. */
  readonly librariesOf: (
    viewer: Viewer,
  ) => Promise<readonly { readonly id: string; readonly name: string; readonly type: string }[]>;
  readonly scopeFor: MediaScopeFor;
  /** Whether the plugin answers the searches of the server. */
  readonly servesSearch: (pluginId: string) => boolean;
}

interface Question {
  readonly q: string;
  readonly limit?: number;
}

/** What a profile says of items. Without a person there is no profile. */
const ofProfile: ReadonlySet<string> = new Set([
  'watched',
  'favourite',
  'myRating',
  'collectionId',
  'lastPlayedAt',
  'playCount',
]);

export function createMediaService(parts: MediaServiceParts): HostService<'media'> {
  const { items, search, librariesOf } = parts;

  function scopeOf(caller: HostCaller, query: MediaQuery = {}): MediaScope {
    const scope = parts.scopeFor(caller);
    if (scope === null) throw new KernelError('permission_denied', 'anything of this viewer');
    const personal = scope.isPerson
      ? undefined
      : [...Object.keys(query), query.sortBy ?? ''].find((name) => ofProfile.has(name));
    if (personal === undefined) return scope;
    throw new KernelError(
      'invalid_argument',
      `${personal} belongs to a profile, and no person caused this call: leave it out, or ask in a view or an action.`,
    );
  }

  async function list(
    { fields, ...query }: MediaQuery,
    caller: HostCaller,
  ): Promise<MediaPage | MediaPage<MediaTile>> {
    const scope = scopeOf(caller, query);
    return fields === 'tile'
      ? readWithin(scope, query, items.tiles)
      : readWithin(scope, query, items.list);
  }

  async function get({ itemId }: { readonly itemId: string }, caller: HostCaller) {
    const { viewer, within } = scopeOf(caller);
    const item = await items.get(itemId, viewer);
    if (within === null || (await within([itemId])).every(Boolean)) return item;
    throw new KernelError('not_found', `Item ${itemId}`);
  }

  async function counts(filters: MediaFilters, caller: HostCaller): Promise<MediaCounts> {
    const { viewer, inParts } = scopeOf(caller, filters);
    const counted = [];
    for (const { id, name, type } of await librariesOf(viewer)) {
      if ((filters.libraryId ?? id) !== id || (filters.type ?? type) !== type) continue;
      const query = { ...filters, libraryId: id, limit: 1, includeTotal: true };
      const { total = 0 } = inParts.has(id) ? { total: null } : await items.tiles(viewer, query);
      if (total !== 0) counted.push({ id, name, type, items: total });
    }
    const known = counted.flatMap((one) => one.items ?? []);
    const isWhole = known.length === counted.length;
    return { total: isWhole ? known.reduce((sum, one) => sum + one, 0) : null, libraries: counted };
  }

  async function find(question: Question, caller: HostCaller): Promise<MediaFound> {
    if (parts.servesSearch(caller.pluginId))
      throw new KernelError(
        'conflict',
        'host.media.search asks the plugin that serves search, which is this one.',
      );
    const { viewer, within } = scopeOf(caller);
    const { items: found, itemsTotal, entities } = await search.query(viewer, question);
    if (within === null) return { items: found, itemsTotal, entities };
    const shown = await within(found.map(({ id }) => id));
    const kept = found.filter((_, index) => shown[index] === true);
    return { items: kept, itemsTotal: kept.length, entities };
  }

  return hostService('media', {
    list: { subject: libraryOf, run: answered(list) },
    get: answered(get),
    counts: { subject: libraryOf, run: answered(counts) },
    search: answered(find),
  });
}

const libraryOf = ({ libraryId }: { readonly libraryId?: string }): string | null =>
  libraryId ?? null;
