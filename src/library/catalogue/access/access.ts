/**
 * The one access filter. It turns a viewer into a scope, and no other module does. Every list,
 * count, search, stream, view and event takes its scope from here and applies `libraryShowing` or
 * `itemShows`. Items cannot be read without a scope.
 */
import type { Database } from '../../../../kernel/storage/index.ts';
import { isFullAdmin, maySeeLibrary, type Viewer } from '../../../people/viewer/index.ts';
import { allows, type Admission } from '../../../people/ratings/index.ts';
import { createServerPlaces } from '../../../files/references/index.ts';
import { parseMap } from '../tables/rows.ts';
import { readRatedRows } from './certification-store.ts';
import { createReadCertifications, type LibraryCertifications } from './certifications.ts';
import type { KnownLibraries, KnownLibrary } from './known-libraries.ts';
import { partitionsOf } from './search-scopes.ts';
import { libraryShowing, type Scope, type ScopedLibrary } from './scope.ts';
import { entityLanguages, textLanguages } from './text-languages.ts';

/** Computes what a viewer may see. */
export type Access = ReturnType<typeof createAccess>;

export interface AccessParts {
  readonly database: Pick<Database, 'read' | 'writes'>;
  readonly known: Pick<KnownLibraries, 'all' | 'isHidden'>;
}

/** How many admissions are cached with the certifications that they admit. */
const mostRemembered = 500;

export function createAccess({ database, known }: AccessParts) {
  const readCertifications = createReadCertifications(database);
  const remembered = new Map<string, Map<string, boolean>>();
  let free = { roots: '', read: createServerPlaces([]).readMap };

  /** Made again where the roots changed. */
  function readFree(): Scope['readFree'] {
    const all = known.all().flatMap(({ roots }) => roots);
    const roots = all.join('\n');
    if (roots !== free.roots) free = { roots, read: createServerPlaces(all).readMap };
    return free.read;
  }

  /** Whether a certification is admitted never changes, so each is parsed once per admission. */
  function isAdmitted(admission: Admission): (certification: string) => boolean {
    const key = JSON.stringify(admission);
    if (!remembered.has(key) && remembered.size >= mostRemembered) remembered.clear();
    const verdicts = remembered.get(key) ?? new Map<string, boolean>();
    remembered.set(key, verdicts);
    return (certification) => {
      const verdict = verdicts.get(certification) ?? allows(admission, certification);
      verdicts.set(certification, verdict);
      return verdict;
    };
  }

  function limited(
    admission: Admission,
    certifications: LibraryCertifications | undefined,
  ): Pick<ScopedLibrary, 'certifications' | 'share'> {
    const { items = new Map<string, number>(), total = 0 } = certifications ?? {};
    const admitted = [...items.keys()].filter(isAdmitted(admission));
    const shown = admitted.reduce((sum, one) => sum + (items.get(one) ?? 0), 0);
    return { certifications: new Set(admitted), share: { shown, total } };
  }

  async function scopeOver(viewer: Viewer, libraries: readonly KnownLibrary[]): Promise<Scope> {
    const admissions = libraries.map(({ id }) => viewer.visibility.libraries?.get(id) ?? []);
    const isRated = admissions.some((admission) => admission.length > 0);
    const certifications = isRated ? await readCertifications() : null;
    return {
      libraries: libraries.map((library, index) => {
        const admission = admissions[index] ?? [];
        const limits =
          admission.length === 0
            ? { certifications: null, share: null }
            : limited(admission, certifications?.get(library.no));
        return {
          ...library,
          ...limits,
          textLanguages: textLanguages(viewer.locale, library.languages),
        };
      }),
      showsHidden: viewer.visibility.showsHidden,
      showsPaths: viewer.role === 'admin',
      readFree: viewer.role === 'admin' ? parseMap : readFree(),
      findsHidden: viewer.visibility.showsHidden || isFullAdmin(viewer),
      entityLanguages: entityLanguages(
        viewer.locale,
        libraries.map(({ languages }) => languages),
      ),
    };
  }

  const sees = (viewer: Viewer, { id, hidden }: Pick<KnownLibrary, 'id' | 'hidden'>): boolean =>
    maySeeLibrary(viewer, id) && (!hidden || viewer.visibility.showsHidden);

  /**
   * The current scope: an item that was committed before the call counts with its certification.
   */
  const scopeOf = (viewer: Viewer): Promise<Scope> =>
    scopeOver(
      viewer,
      known.all().filter((library) => sees(viewer, library)),
    );

  /** For each of these items that exists: whether the viewer may see it now. */
  async function visibilityOf(
    viewer: Viewer,
    itemIds: readonly string[],
  ): Promise<ReadonlyMap<string, boolean>> {
    const rows = await readRatedRows(database.read, itemIds);
    const scope = await scopeOf(viewer);
    return new Map(rows.map((row) => [row.id, libraryShowing(scope, row) !== undefined]));
  }

  return {
    scopeOf,
    /** Whether the viewer may know that the library exists. An admin knows hidden ones too. */
    knows: (viewer: Viewer, library: Pick<KnownLibrary, 'id' | 'hidden'>): boolean =>
      sees(viewer, library) || (viewer.role === 'admin' && maySeeLibrary(viewer, library.id)),
    /** The scope within one library that the viewer knows, whether it is hidden or not. */
    scopeWithin: (viewer: Viewer, library: KnownLibrary): Promise<Scope> =>
      scopeOver(viewer, [library]),
    /** The partitions of a search index that the scope covers; `null` = all of them. */
    partitionsOf: async (scope: Scope): Promise<readonly string[] | null> => {
      const isWhole = scope.libraries.every(({ certifications }) => certifications === null);
      if (isWhole && scope.libraries.length === known.all().length) return null;
      return partitionsOf(scope, await readCertifications());
    },
    /** How much of a library the viewer sees, as far as that is known without reading its items. */
    visibilityIn: (viewer: Viewer, id: string): 'all' | 'some' | 'nothing' => {
      if (!sees(viewer, { id, hidden: known.isHidden(id) })) return 'nothing';
      return (viewer.visibility.libraries?.get(id) ?? []).length === 0 ? 'all' : 'some';
    },
    /** The subset of these items that the viewer may see now; deleted items are omitted. */
    filterVisible: async (
      viewer: Viewer,
      itemIds: readonly string[],
    ): Promise<ReadonlySet<string>> => {
      const visibility = await visibilityOf(viewer, itemIds);
      return new Set([...visibility].flatMap(([id, shows]) => (shows ? [id] : [])));
    },
    visibilityOf,
    /** Whether hidden libraries, entities and collections are shown. */
    showsHidden: ({ visibility }: Viewer): boolean => visibility.showsHidden,
    /** Whether the viewer may see everything in every library. */
    seesAll: (viewer: Viewer): boolean =>
      viewer.visibility.libraries === null &&
      (viewer.visibility.showsHidden || known.all().every(({ hidden }) => !hidden)),
  };
}
