import type { FileListing, FileProblem, Host } from '../../plugin-api/index.ts';
import { ignoredNames, isIgnoredName } from './ignored-names.ts';
import type { KnownPage } from './known-pages.ts';
import type { ScanPlace } from './scan-plan.ts';

/** A page of a place, or why there is none. */
export type Listed =
  | { readonly kind: 'page'; readonly page: PlaceListing }
  | { readonly kind: 'unreachable'; readonly problem: FileProblem }
  | { readonly kind: 'failed'; readonly error: unknown };

/** A listing, and the folders that it leaves unchanged. */
export interface PlaceListing extends FileListing {
  readonly untouched: readonly string[];
  /** With `stretches`: the digest that the page had; with `isKnown`: those of the pages that it covers. */
  readonly known?: readonly string[];
}

const nothing: PlaceListing = { entries: [], cursor: null, problems: [], untouched: [] };

/** Lists a place page by page. Never rejects: a page that is listed ahead may be awaited late. */
export async function listPlace(
  host: Host,
  place: ScanPlace,
  page: {
    readonly cursor: string | null;
    readonly limit: number;
    readonly extensions: readonly string[] | undefined;
    /** The pages that were here, one after the other. */
    readonly known?: readonly KnownPage[];
  },
): Promise<Listed> {
  const { uri, root, isShallow } = place;
  try {
    if (namesBetween(root, uri).some(isIgnoredName)) return { kind: 'page', page: nothing };
    return { kind: 'page', page: await (isShallow ? listFlat() : listTree()) };
  } catch (error) {
    const problem = placeProblem(uri, error);
    if (!problem) return { kind: 'failed', error };
    const isRemoved =
      problem.code === 'not-found' && uri !== root && (await hasParent(host, place));
    return isRemoved ? { kind: 'page', page: nothing } : { kind: 'unreachable', problem };
  }

  async function listTree(): Promise<PlaceListing> {
    const { cursor, limit, extensions, known: run = [] } = page;
    const [known, ...next] = run;
    const listing = await host.fs.list({
      uri,
      recursive: true,
      cursor,
      limit,
      ignore: ignoredNames,
      ignoreFilesFrom: root,
      ...(extensions && { extensions }),
      ...(known && {
        known: known.digest,
        knownThrough: known.through,
        knownParts: known.parts,
      }),
      ...(next.length > 0 && {
        knownNext: next.map(({ digest, through }) => ({ digest, through })),
      }),
    });
    // Without its files such a page would report them as gone.
    if (listing.wantsParts && known?.parts !== null)
      throw new Error('The filesystem requested the parts of a page that was not offered.');
    const last = listing.isKnown ? run.findIndex(({ through }) => through === listing.cursor) : 0;
    const passed = run.slice(0, Math.max(0, last) + 1);
    const progress = listing.progress ?? passed.at(-1)?.progress;
    return {
      ...listing,
      untouched: [],
      ...(progress !== undefined && { progress }),
      known: passed.map(({ digest }) => digest),
    };
  }

  async function listFlat(): Promise<PlaceListing> {
    const { cursor, limit } = page;
    const { entries, ...listing } = await host.fs.list({
      uri,
      cursor,
      limit,
      ignoreFilesFrom: root,
    });
    const folders = entries.filter(({ kind }) => kind === 'folder');
    return {
      ...listing,
      entries: entries.filter(
        (entry) => entry.kind === 'file' && !isIgnoredName(entry.uri.slice(uri.length + 1)),
      ),
      untouched: folders.map((folder) => folder.uri),
    };
  }
}

/** Errors that concern the place itself; after any other error the scan should be tried again. */
const placeCodes: ReadonlyMap<unknown, FileProblem['code']> = new Map([
  ['not_found', 'not-found'],
  ['unreadable', 'unreadable'],
  ['outside_root', 'outside-root'],
  ['symlink_loop', 'symlink-loop'],
  ['invalid_argument', 'other'],
]);

/** The meaning of a listing error for the place, if it concerns the place. */
export function placeProblem(uri: string, error: unknown): FileProblem | null {
  if (!(error instanceof Error) || !('code' in error)) return null;
  const code = placeCodes.get(error.code);
  return code ? { uri, code, message: error.message } : null;
}

/**
 * Whether a missing folder was removed: then its parent, or the parent of that, can be listed. When
 * even the root cannot be listed, this is unknown.
 */
async function hasParent(host: Host, { uri, root }: ScanPlace): Promise<boolean> {
  for (let folder = parentOf(uri); folder.length >= root.length; folder = parentOf(folder)) {
    try {
      const { entries } = await host.fs.list({ uri: folder, limit: 1 });
      return folder !== root || entries.length > 0;
    } catch (error) {
      if (placeProblem(folder, error)?.code !== 'not-found') return false;
    }
  }
  return false;
}

const parentOf = (uri: string): string => uri.slice(0, uri.lastIndexOf('/'));

function namesBetween(root: string, uri: string): readonly string[] {
  return uri === root ? [] : uri.slice(root.length + 1).split('/');
}
