/** `host.viewing`: what a person watched, marked and put in lists, for plugins. */
import { createKeyedTokenBuckets } from '../../../packages/lib/concurrency/index.ts';
import {
  hostService,
  KernelError,
  type HostCaller,
  type HostInput,
  type HostService,
} from '../../../kernel/index.ts';
import type { MediaItem, MediaPage, ViewingState } from '../../../plugin-api/index.ts';
import {
  answered,
  readWithin,
  type MediaScopeFor,
  type Page,
} from '../../library/catalogue/media/index.ts';
import type { Viewer } from '../../people/viewer/index.ts';
import type { Marks, Playback } from '../playback/index.ts';
import { ListCalls, type ListCallsParts } from './list-calls.ts';
import { assertWithin, createPersonOf, type Person } from './person.ts';

type ReadItems = (
  viewer: Viewer,
  query: { readonly limit?: number | undefined; readonly cursor?: string | undefined },
) => Promise<Page<MediaItem>>;

export interface ViewingServiceParts extends ListCallsParts {
  /** Each obeys the access filter. */
  readonly playback: Pick<Playback, 'put' | 'setWatched' | 'setWatchedEntity'> & {
    readonly continueWatching: ReadItems;
    readonly nextUp: ReadItems;
    readonly nextOfShow: (viewer: Viewer, showId: string) => Promise<MediaItem | undefined>;
  };
  readonly marks: Pick<Marks, 'setFavourite' | 'setFavouriteEntity' | 'rate' | 'rateEntity'>;
  /** Whether the viewer sees an item with this id. */
  readonly hasItem: (id: string, viewer: Viewer) => Promise<boolean>;
  readonly scopeFor: MediaScopeFor;
  /** The profiles that agreed to the plugin, by the word that stands for them there. */
  readonly agreed: (
    pluginId: string,
  ) => Promise<readonly { readonly profile: string; readonly level: 'read' | 'write' }[]>;
  /** Milliseconds of a clock that never goes back. */
  readonly now: () => number;
}

const writesPerMinute = 600;
const mostKeys = 20_000;

export function createViewingService(parts: ViewingServiceParts): HostService<'viewing'> {
  const { playback, marks } = parts;
  const personOf = createPersonOf(parts.scopeFor);
  const lists = new ListCalls(parts, personOf);
  const rate = { capacity: writesPerMinute, refill: writesPerMinute, everyMs: 60_000 };
  const writes = createKeyedTokenBuckets(rate, { mostKeys, now: parts.now });

  /** A method that changes something; each item of a long change counts. */
  const writing = <Input, Answer>(
    run: (input: Input, caller: HostCaller) => Promise<Answer>,
    sizeOf: (input: Input) => number = () => 1,
  ) =>
    answered((input: Input, caller: HostCaller) => {
      const { profileId } = personOf(caller).viewer;
      const waitMs = writes.take(JSON.stringify([caller.pluginId, profileId]), sizeOf(input));
      if (waitMs === 0) return run(input, caller);
      const what = `A profile can be changed ${writesPerMinute} times a minute; the next change is possible in ${waitMs} ms.`;
      throw new KernelError('quota_exceeded', what);
    });

  /** Marks an item or an entity. The items of an entity are not judged by folders. */
  async function mark(
    id: string,
    caller: HostCaller,
    ways: Readonly<Record<'item' | 'entity', (viewer: Viewer) => Promise<unknown>>>,
  ): Promise<null> {
    const person = personOf(caller);
    const isItem = await parts.hasItem(id, person.viewer);
    if (isItem) await assertWithin(person, [id]);
    else if (person.within !== null)
      throw new KernelError('permission_denied', 'whole libraries, which it needs for an entity');
    await ways[isItem ? 'item' : 'entity'](person.viewer);
    return null;
  }

  async function nextUp(
    { showId, ...page }: HostInput<'viewing', 'nextUp'>,
    caller: HostCaller,
  ): Promise<MediaPage> {
    const person = personOf(caller);
    if (showId === undefined) return readWithin(person, page, playback.nextUp);
    const next = await playback.nextOfShow(person.viewer, showId);
    return { items: await shownOf(person, next), nextCursor: null };
  }

  async function report(
    { itemId, ...change }: HostInput<'viewing', 'report'>,
    caller: HostCaller,
  ): Promise<ViewingState> {
    return playback.put(itemId, change, personOf(caller).viewer);
  }

  return hostService('viewing', {
    profiles: async (_input, { pluginId, viewer }) => {
      const agreed = await parts.agreed(pluginId);
      const own = viewer?.shownTo(pluginId).profile;
      return { profiles: agreed.filter(({ profile }) => profile === (own ?? profile)) };
    },
    resume: answered(async (page, caller) =>
      readWithin(personOf(caller), page, playback.continueWatching),
    ),
    nextUp: answered(nextUp),
    report: writing(report),
    watched: writing(({ id, watched }, caller) =>
      mark(id, caller, {
        item: (viewer) => playback.setWatched(id, watched, viewer),
        entity: (viewer) => playback.setWatchedEntity(id, watched, viewer),
      }),
    ),
    favourite: writing(({ id, on }, caller) =>
      mark(id, caller, {
        item: (viewer) => marks.setFavourite(id, on, viewer),
        entity: (viewer) => marks.setFavouriteEntity(id, on, viewer),
      }),
    ),
    rate: writing(({ id, stars }, caller) =>
      mark(id, caller, {
        item: (viewer) => marks.rate(id, stars, viewer),
        entity: (viewer) => marks.rateEntity(id, stars, viewer),
      }),
    ),
    lists: answered(lists.lists),
    entries: answered(lists.entries),
    createList: writing(lists.create, ({ kind, itemIds }) => sizeOf(kind, itemIds)),
    changeList: writing(lists.change, ({ remove = [], add = [] }) =>
      Math.min(writesPerMinute, Math.max(1, remove.length, add.length)),
    ),
    removeList: writing(lists.remove),
  });
}

/** A playlist takes all its items in one statement, a collection one after the other. */
const sizeOf = (kind: 'playlist' | 'collection', itemIds: readonly string[] = []): number =>
  kind === 'playlist' ? 1 : Math.min(writesPerMinute, Math.max(1, itemIds.length));

/** The item, if it is within the folders that were granted. */
async function shownOf(
  { within }: Person,
  item: MediaItem | undefined,
): Promise<readonly MediaItem[]> {
  if (item === undefined) return [];
  const isShown = within === null || (await within([item.id])).every(Boolean);
  return isShown ? [item] : [];
}
