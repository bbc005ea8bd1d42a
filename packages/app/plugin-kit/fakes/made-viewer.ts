/** Viewers for a plugin under test, and what they see of the fake library. */
import type { DispatchViewer } from '../../../../kernel/index.ts';
import {
  fullVisibility,
  visibilityOfLibraries,
  type Role,
  type Viewer,
} from '../../../../src/people/viewer/index.ts';
import type { ItemVisibility } from '../../../../src/library/catalogue/index.ts';
import type { PluginViewers } from '../../../../src/plugins/scopes/index.ts';
import type { FakeLibrary } from './fake-library.ts';
import { PluginFault } from '../packing/plugin-fault.ts';

/** A viewer who opens a page, presses a button or searches. */
export interface MadeViewer {
  /** `admin` when absent. */
  readonly role?: Role;
  /** The names of the only libraries that they see; all of them when absent. */
  readonly libraries?: readonly string[];
  /** One name for each viewer, from which `host.viewer.profile` is derived. `someone` when absent. */
  readonly profile?: string;
  /** The language that their client asks for (BCP 47); none when absent. */
  readonly locale?: string;
}

/** The name of a viewer who has none. */
export const usualProfile = 'someone';

/** The id that the server has for the profile of a viewer. */
export const profileIdOf = (profile: string): string => `profile-${profile}`;

/** Makes a viewer. Throws a {@link PluginFault} for an unknown library. */
export const madeViewer = (
  made: MadeViewer,
  library: FakeLibrary,
  viewers: Pick<PluginViewers, 'toPlugins'>,
): DispatchViewer => viewers.toPlugins(madePerson(made, library));

/** The same as the server has it. */
export function madePerson(
  { role = 'admin', libraries, profile = usualProfile, locale }: MadeViewer,
  library: FakeLibrary,
): Viewer {
  return {
    credentialId: 'test-harness',
    credentialKind: 'session',
    userId: `user-${profile}`,
    profileId: profileIdOf(profile),
    role,
    isReadOnly: false,
    visibility: libraries
      ? visibilityOfLibraries(libraries.map((name) => idOf(name, library)))
      : fullVisibility,
    ...(locale !== undefined && { locale }),
  };
}

function idOf(name: string, library: FakeLibrary): string {
  const libraries = library.libraries();
  const found = libraries.find((one) => one.name === name);
  if (found) return found.id;
  const names = libraries.map((one) => one.name).join(', ');
  const why = `there is no such library; there are ${names}`;
  throw new PluginFault('invalid_argument', `viewer.libraries: ${name}: ${why}.`);
}

/** Whether a viewer sees a library of the fake ones. */
export const sees = ({ visibility }: Viewer, id: string): boolean =>
  visibility.libraries?.has(id) ?? true;

/** What viewers see of the fake library: each library as a whole, or not at all. */
export function createMadeVisibility(library: FakeLibrary): ItemVisibility {
  return {
    seesAll: ({ visibility }) => visibility.libraries === null,
    showsHidden: ({ visibility }) => visibility.showsHidden,
    visibilityIn: (viewer, id) => (sees(viewer, id) ? 'all' : 'nothing'),
    visibilityOf: async (viewer, ids) =>
      new Map(
        library
          .items()
          .filter(({ id }) => ids.includes(id))
          .map(({ id, libraryId }) => [id, sees(viewer, libraryId)]),
      ),
    seesFile: async () => false,
    seesNamed: async (viewer, ids) =>
      ids.every((named) => {
        const items = library
          .items()
          .filter(({ id, entities }) => id === named || entities.some((one) => one.id === named));
        return items.length === 0 || items.some(({ libraryId }) => sees(viewer, libraryId));
      }),
  };
}
