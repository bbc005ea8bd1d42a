import {
  KernelError,
  type Narrowed,
  type Reach,
  type ReachedScope,
} from '../../../kernel/index.ts';
import { isBelow, isSpelled } from '../../files/filesystems/index.ts';
import { toRootUri } from '../../library/catalogue/index.ts';
import { isMap } from './outgoing-rules.ts';
import type { PlacedLibrary } from './scope-check.ts';

const mostLibraries = 1000;
const mostFolders = 100;
const longestFolder = 16_384;

const right =
  'right is "all", or a list such as [{"id": "<library>"}, {"id": "<library>", "folders": ["/media/films/Kids"]}]';

/**
 * Parses the libraries of a grant, with every folder as a URI. Throws `invalid_argument` for an unknown
 * library, for a folder outside of its roots, and for a value that is not such a list.
 */
export function parseGrantedScopes(granted: unknown, libraries: readonly PlacedLibrary[]): Reach {
  if (granted === 'all') return 'all';
  if (!Array.isArray(granted)) throw refusal(`libraries must be "all" or a list; ${right}.`);
  if (granted.length > mostLibraries)
    throw refusal(`libraries has ${granted.length} entries, above ${mostLibraries}.`);
  const reach: Narrowed = granted.map((one: unknown, index) =>
    parseLibrary(one, `libraries[${index}]`, libraries),
  );
  const twice = reach.find(({ id }, at) => reach.findIndex((other) => other.id === id) !== at);
  if (twice) throw refusal(`libraries names ${twice.id} twice; name all of its folders once.`);
  return reach;
}

function parseLibrary(
  one: unknown,
  where: string,
  libraries: readonly PlacedLibrary[],
): ReachedScope {
  if (!isMap(one)) throw refusal(`${where} must be an object; ${right}.`);
  const stranger = Object.keys(one).find((key) => key !== 'id' && key !== 'folders');
  if (stranger !== undefined)
    throw refusal(`${where} has ${shown(stranger)}, which is neither id nor folders; ${right}.`);
  const { id, folders } = one;
  const library = libraries.find((other) => other.id === id);
  if (!library) throw refusal(`${where}.id: there is no library ${shown(id)}.`);
  if (folders === undefined) return { id: library.id };
  if (!Array.isArray(folders) || folders.length === 0 || folders.length > mostFolders)
    throw refusal(
      `${where}.folders must name 1 to ${mostFolders} folders; without folders it is the whole library.`,
    );
  const uris = folders.map((folder: unknown, index) =>
    parseFolder(folder, `${where}.folders[${index}]`, library),
  );
  return { id: library.id, folders: [...new Set(uris)] };
}

/** A URI, a path of this machine, or a path below the one root that the library has. */
function parseFolder(folder: unknown, where: string, { name, roots }: PlacedLibrary): string {
  if (typeof folder !== 'string' || folder === '' || folder.length > longestFolder)
    throw refusal(`${where} must be a text of 1 to ${longestFolder} characters.`);
  const uri = spelled(folder, where, roots);
  if (roots.some((root) => isBelow(uri, root))) return uri;
  throw refusal(
    `${where}: ${shown(folder)} is in no root of ${name}; its roots are ${roots.join(', ')}.`,
  );
}

function spelled(folder: string, where: string, roots: readonly string[]): string {
  const [root, ...others] = roots;
  const isRelative = !folder.startsWith('/') && !/^[a-z][a-z0-9+.-]*:/i.test(folder);
  if (isRelative && (root === undefined || others.length > 0))
    throw refusal(
      `${where}: ${shown(folder)} could be in several roots; name it with its root: ${roots.join(', ')}.`,
    );
  try {
    const below = isRelative ? toRootUri(`/${folder}`).slice('file://'.length) : '';
    const uri = isRelative ? `${root ?? ''}${below}` : toRootUri(folder);
    if (isSpelled(uri)) return uri;
  } catch {
    // The error of `toRootUri` speaks of a root; the one below speaks of a folder.
  }
  throw refusal(
    `${where}: ${shown(folder)} is not a folder; give its path or its URI, without . and .. in it.`,
  );
}

/** A sent value as text, shortened for a message. */
const shown = (value: unknown): string => (JSON.stringify(value) ?? 'undefined').slice(0, 200);

const refusal = (what: string): KernelError => new KernelError('invalid_argument', what);
