/**
 * The one access filter. It turns a viewer into a scope, and no other module does. Every list,
 * count, search, stream, view and event takes its scope from here and applies `libraryShowing` or
 * `itemShows`. Items cannot be read without a scope.
 */
import type { Database } from '../../../../kernel/store/index.ts';
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

export interface AccessParts {
  readonly database: Pick<Database, 'read' | 'writes'>;
  readonly known: Pick<KnownLibraries, 'all' | 'isHidden'>;
}

/** How many admissions are cached with the certifications that they admit. */
const mostRemembered = 500;

/** Computes what a viewer may see. */
export class Access {
  readonly #parts: AccessParts;
  readonly #readCertifications: ReturnType<typeof createReadCertifications>;
  readonly #remembered = new Map<string, Map<string, boolean>>();
  #free = { roots: '', read: createServerPlaces([]).readMap };

  constructor(parts: AccessParts) {
    this.#parts = parts;
    this.#readCertifications = createReadCertifications(parts.database);
  }

  /** Made again where the roots changed. */
  #readFree(): Scope['readFree'] {
    const all = this.#parts.known.all().flatMap(({ roots }) => roots);
    const roots = all.join('\n');
    if (roots !== this.#free.roots) this.#free = { roots, read: createServerPlaces(all).readMap };
    return this.#free.read;
  }

  /** Whether a certification is admitted never changes, so each is parsed once per admission. */
  #isAdmitted(admission: Admission): (certification: string) => boolean {
    const key = JSON.stringify(admission);
    if (!this.#remembered.has(key) && this.#remembered.size >= mostRemembered)
      this.#remembered.clear();
    const verdicts = this.#remembered.get(key) ?? new Map<string, boolean>();
    this.#remembered.set(key, verdicts);
    return (certification) => {
      const verdict = verdicts.get(certification) ?? allows(admission, certification);
      verdicts.set(certification, verdict);
      return verdict;
    };
  }

  #limited(
    admission: Admission,
    certifications: LibraryCertifications | undefined,
  ): Pick<ScopedLibrary, 'certifications' | 'share'> {
    const { items = new Map<string, number>(), total = 0 } = certifications ?? {};
    const admitted = [...items.keys()].filter(this.#isAdmitted(admission));
    const shown = admitted.reduce((sum, one) => sum + (items.get(one) ?? 0), 0);
    return { certifications: new Set(admitted), share: { shown, total } };
  }

  async #scopeOver(viewer: Viewer, libraries: readonly KnownLibrary[]): Promise<Scope> {
    const admissions = libraries.map(({ id }) => viewer.visibility.libraries?.get(id) ?? []);
    const isRated = admissions.some((admission) => admission.length > 0);
    const certifications = isRated ? await this.#readCertifications() : null;
    return {
      libraries: libraries.map((library, index) => {
        const admission = admissions[index] ?? [];
        const limits =
          admission.length === 0
            ? { certifications: null, share: null }
            : this.#limited(admission, certifications?.get(library.no));
        return {
          ...library,
          ...limits,
          textLanguages: textLanguages(viewer.locale, library.languages),
        };
      }),
      showsHidden: viewer.visibility.showsHidden,
      showsPaths: viewer.role === 'admin',
      readFree: viewer.role === 'admin' ? parseMap : this.#readFree(),
      findsHidden: viewer.visibility.showsHidden || isFullAdmin(viewer),
      entityLanguages: entityLanguages(
        viewer.locale,
        libraries.map(({ languages }) => languages),
      ),
    };
  }

  readonly #sees = (viewer: Viewer, { id, hidden }: Pick<KnownLibrary, 'id' | 'hidden'>): boolean =>
    maySeeLibrary(viewer, id) && (!hidden || viewer.visibility.showsHidden);

  /**
   * The current scope: an item that was committed before the call counts with its certification.
   */
  readonly scopeOf = (viewer: Viewer): Promise<Scope> =>
    this.#scopeOver(
      viewer,
      this.#parts.known.all().filter((library) => this.#sees(viewer, library)),
    );

  /** For each of these items that exists: whether the viewer may see it now. */
  readonly visibilityOf = async (
    viewer: Viewer,
    itemIds: readonly string[],
  ): Promise<ReadonlyMap<string, boolean>> => {
    const rows = await readRatedRows(this.#parts.database.read, itemIds);
    const scope = await this.scopeOf(viewer);
    return new Map(rows.map((row) => [row.id, libraryShowing(scope, row) !== undefined]));
  };

  /** Whether the viewer may know that the library exists. An admin knows hidden ones too. */
  readonly knows = (viewer: Viewer, library: Pick<KnownLibrary, 'id' | 'hidden'>): boolean =>
    this.#sees(viewer, library) || (viewer.role === 'admin' && maySeeLibrary(viewer, library.id));

  /** The scope within one library that the viewer knows, whether it is hidden or not. */
  readonly scopeWithin = (viewer: Viewer, library: KnownLibrary): Promise<Scope> =>
    this.#scopeOver(viewer, [library]);

  /** The partitions of a search index that the scope covers; `null` = all of them. */
  readonly partitionsOf = async (scope: Scope): Promise<readonly string[] | null> => {
    const isWhole = scope.libraries.every(({ certifications }) => certifications === null);
    if (isWhole && scope.libraries.length === this.#parts.known.all().length) return null;
    return partitionsOf(scope, await this.#readCertifications());
  };

  /** How much of a library the viewer sees, as far as that is known without reading its items. */
  readonly visibilityIn = (viewer: Viewer, id: string): 'all' | 'some' | 'nothing' => {
    if (!this.#sees(viewer, { id, hidden: this.#parts.known.isHidden(id) })) return 'nothing';
    return (viewer.visibility.libraries?.get(id) ?? []).length === 0 ? 'all' : 'some';
  };

  /** The subset of these items that the viewer may see now; deleted items are omitted. */
  readonly filterVisible = async (
    viewer: Viewer,
    itemIds: readonly string[],
  ): Promise<ReadonlySet<string>> => {
    const visibility = await this.visibilityOf(viewer, itemIds);
    return new Set([...visibility].flatMap(([id, shows]) => (shows ? [id] : [])));
  };

  /** Whether hidden libraries, entities and collections are shown. */
  readonly showsHidden = ({ visibility }: Viewer): boolean => visibility.showsHidden;

  /** Whether the viewer may see everything in every library. */
  readonly seesAll = (viewer: Viewer): boolean =>
    viewer.visibility.libraries === null &&
    (viewer.visibility.showsHidden || this.#parts.known.all().every(({ hidden }) => !hidden));
}

export const createAccess = (parts: AccessParts): Access => new Access(parts);
