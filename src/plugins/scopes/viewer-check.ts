/** What the viewer of a plugin sees. In doubt the answer is no. */
import { isAtLeast, isFullAdmin, type Viewer } from '../../people/viewer/index.ts';
import { isBelow, isSpelled } from '../../files/filesystems/index.ts';
import type { ItemVisibility, ItemLocations } from '../../library/catalogue/index.ts';
import { idsIn, mostIds } from './named-ids.ts';
import { spelled } from './scope-check.ts';

/** The checks for one viewer, over the current libraries and items. */
export type ViewerCheck = ReturnType<typeof createViewerCheck>;

export interface ViewerCheckParts {
  readonly locations: Pick<ItemLocations, 'libraries'>;
  readonly visibility: ItemVisibility;
  /** The pseudonym of the viewer's profile in the plugin. */
  readonly profile: string | null;
}

export function createViewerCheck(
  viewer: Viewer,
  { locations, visibility, profile }: ViewerCheckParts,
) {
  const seesAll = visibility.seesAll(viewer);
  const into = (id: unknown) =>
    typeof id === 'string' && isLibrary(id) ? visibility.visibilityIn(viewer, id) : 'nothing';
  const isLibrary = (id: string): boolean => locations.libraries().some((one) => one.id === id);

  /**
   * A file, or a folder with all that is below it. In a library that is seen in part, only a file
   * of a seen item.
   */
  async function uri(given: unknown): Promise<boolean> {
    if (seesAll) return true;
    if (typeof given !== 'string' || !isSpelled(given)) return false;
    const owners = locations
      .libraries()
      .filter(({ roots }) => roots.some((one) => isBelow(given, one)));
    if (owners.some(({ id }) => into(id) === 'all')) return true;
    return owners.some(({ id }) => into(id) === 'some') && visibility.seesFile(viewer, given);
  }

  /** The same for many, in their order. */
  async function items(ids: readonly string[]): Promise<readonly boolean[]> {
    if (seesAll) return ids.map(() => true);
    const seen = await visibility.visibilityOf(viewer, ids);
    return ids.map((id) => seen.get(id) ?? false);
  }

  /** A path outside of all libraries counts as seen. */
  async function isPlaceSeen(text: string): Promise<boolean> {
    const named = spelled(text);
    if (named === null) return true;
    const isOfLibrary = locations
      .libraries()
      .some(({ roots }) => roots.some((root) => isBelow(named, root)));
    return !isOfLibrary || uri(named);
  }

  /**
   * Whether the viewer sees all that these texts name: by the id of a library, an item, a part of
   * an item or an entity, or by the URI or path of a file. A text that names nothing counts as
   * seen.
   */
  async function texts(all: readonly string[]): Promise<boolean> {
    const ids = idsIn(all);
    if (ids.length > mostIds || !(await visibility.seesNamed(viewer, ids))) return false;
    if (seesAll) return true;
    if (all.some((text) => isLibrary(text) && into(text) === 'nothing')) return false;
    for (const text of all) if (!(await isPlaceSeen(text))) return false;
    return true;
  }

  return {
    /** An admin of the whole server, not of some libraries. */
    isAdmin: isFullAdmin(viewer),
    /** Whether the viewer may change what is theirs. */
    mayWrite: isAtLeast(viewer.role, 'user') && !viewer.isReadOnly,
    /** Whether the viewer sees everything in every library. */
    all: seesAll,
    /** Whether the viewer sees at least a part of the library. */
    part: (id: unknown): boolean => seesAll || into(id) !== 'nothing',
    /** Whether the viewer sees all of the library. */
    whole: (id: unknown): boolean => seesAll || into(id) === 'all',
    uri,
    items,
    item: async (id: unknown): Promise<boolean> =>
      typeof id === 'string' && (await items([id])).every(Boolean),
    texts,
    /** Whether this scope of a secret means the viewer. */
    isSelf: ({
      userId,
      profile: named,
    }: {
      readonly userId?: unknown;
      readonly profile?: unknown;
    }): boolean =>
      userId === undefined ? profile !== null && named === profile : userId === viewer.userId,
  };
}
