/** The access of a plugin under test to the fake library, checked by the code of the server. */
import type { IncomingCall, Kernel } from '../../../../kernel/index.ts';
import {
  createPluginReach,
  parseScopes,
  type PluginReach,
  type PluginViewers,
} from '../../../../src/plugins/scopes/index.ts';
import type { ItemLocation } from '../../../../src/library/catalogue/index.ts';
import { isMadeFolder } from '../fakes/fake-files.ts';
import type { FakeLibrary } from '../fakes/fake-library.ts';
import { createMadeVisibility, madePerson, type MadeViewer } from '../fakes/made-viewer.ts';
import { PluginFault } from '../packing/plugin-fault.ts';

/** The libraries that an admin grants: `Films`, or `Films=Kids` for a folder of it. */
export type GrantedLibraries = 'all' | readonly string[];

/** Creates the access check; `withheld` is called for each call that the plugin does not get. */
export function createTestHarnessReach(parts: {
  readonly library: FakeLibrary;
  readonly kernel: () => Kernel;
  readonly viewers: PluginViewers;
  /** Who agreed, by the ids of their profiles. */
  readonly people: ReadonlyMap<string, MadeViewer>;
  readonly withheld: (call: IncomingCall) => void;
}): PluginReach {
  const { library } = parts;
  const reach = createPluginReach({
    locations: {
      libraries: library.libraries,
      isHidden: () => false,
      ofItems: async (ids) => placesOf(ids, library),
      named: async (ids) => ({
        items: [...placesOf(ids, library).values()],
        entities: ids.map((id) => librariesOf(id, library)).filter(({ length }) => length > 0),
      }),
    },
    visibility: createMadeVisibility(library),
    viewers: parts.viewers,
    inspect: async (uri) =>
      isMadeFolder(library, uri)
        ? { ok: true }
        : { ok: false, message: 'The made library has no file in it.' },
    authors: {
      withSlug: (slug) => parts.kernel().plugins.registry.withSlug(slug),
      runnerOf: (type) => parts.kernel().plugins.providers.jobRunner(type),
      reachOf: (id) => parts.kernel().plugins.grants.reachOf(id),
      isOwn: () => false,
    },
    personOf: async (profileId) => {
      const made = parts.people.get(profileId);
      return made ? madePerson({ ...made, role: 'user' }, library) : null;
    },
    ownsSessions: async () => true,
    runsJobs: (id, type) => parts.kernel().plugins.providers.jobRunner(type) === id,
  });
  return {
    ...reach,
    canReceive: async (granted, call) => {
      const may = await reach.canReceive(granted, call);
      if (!may) parts.withheld(call);
      return may;
    },
  };
}

function placesOf(ids: readonly string[], library: FakeLibrary): ReadonlyMap<string, ItemLocation> {
  const named = library.items().filter(({ id }) => ids.includes(id));
  return new Map(
    named.map(({ id, libraryId, files }) => [id, { libraryId, uris: files.map(({ uri }) => uri) }]),
  );
}

/** The libraries in which an entity has an item; none for an unknown id. */
const librariesOf = (entityId: string, library: FakeLibrary): readonly string[] =>
  library
    .items()
    .filter(({ entities }) => entities.some(({ id }) => id === entityId))
    .map(({ libraryId }) => libraryId);

/** The selection in the form of a request. Throws a {@link PluginFault} for an unknown library. */
export function toGrantRequest(words: GrantedLibraries, library: FakeLibrary): unknown {
  if (words === 'all') return words;
  const libraries = library.libraries();
  const found = parseScopes(words, libraries);
  if (found.kind === 'parsed') return found.libraries;
  const names = libraries.map(({ name }) => name).join(', ');
  const why =
    found.kind === 'twice'
      ? 'all of the library, and a folder of it as well'
      : `there is no such library; there are ${names}`;
  throw new PluginFault('invalid_argument', `${found.word}: ${why}.`);
}

/** The library with only the items that the plugin may access. */
export async function libraryWithin(
  library: FakeLibrary,
  pluginId: string,
  { kernel, reach }: { readonly kernel: Kernel; readonly reach: PluginReach },
): Promise<FakeLibrary> {
  const granted = kernel.plugins.grants.reachOf(pluginId);
  if (granted === 'all') return library;
  const items = library.items();
  const within = await reach.itemsWithin(
    granted,
    items.map(({ id }) => id),
  );
  const shown = items.filter((_, index) => within[index]);
  return { ...library, items: () => shown };
}

/** The subject of a call that names only a library type; a server knows the library. */
export function aboutOf(input: object, library: FakeLibrary): object | undefined {
  if (!('libraryType' in input)) return undefined;
  const asking = library.libraries().find(({ type }) => type === input.libraryType);
  const item = library.items().find(({ libraryId }) => libraryId === asking?.id);
  return { libraryId: asking?.id, itemId: item?.id };
}
