import { createIgnoredNames, type DiskFolder, type IsIgnored } from '../../../plugin-api/index.ts';
import type { Roots } from './confinement.ts';
import type { FoldersBelow } from './disk.ts';
import { createExtensionFilter } from './extension-filter.ts';
import { createFolderResolver } from './folder-resolver.ts';
import { listFolder } from './list-folder.ts';

/** Folders to list, as `host.disk.list` takes them; optional fields are `null` or empty here. */
export interface ListCall {
  readonly paths: readonly string[];
  readonly after: Readonly<Record<string, string>>;
  readonly extensions: readonly string[] | null;
  readonly markers: readonly string[];
  /** The most entries of one folder. */
  readonly limit: number | null;
  readonly below: FoldersBelow | null;
}

/** About how long a listing may be, in characters of JSON. */
const listBudget = 1_000_000;
/** How long folders below are listed; then other callers get the disk. */
const belowMs = 200;

/** Lists the given folders, and with `below` the folders in them while the answer has room. */
export function listFolders(
  { paths, after, extensions, markers, limit, below }: ListCall,
  roots: Roots,
): readonly DiskFolder[] {
  const folders: DiskFolder[] = [];
  const resolve = createFolderResolver(roots);
  const isWanted = createExtensionFilter(extensions);
  const asked = { isWanted, markers: new Set(markers), limit: limit ?? Infinity };
  const isIgnored = createIgnoredNames(below?.ignore);
  const waiting = paths.map((path) => ({ path, isNamed: true })).reverse();
  let unnamed = below?.most ?? 0;
  let budget = listBudget;
  const endsAt = performance.now() + belowMs;
  for (let next = waiting.pop(); next !== undefined && budget > 0; next = waiting.pop()) {
    const { path, isNamed } = next;
    if (!isNamed && (unnamed === 0 || performance.now() > endsAt)) continue;
    if (!isNamed) unnamed -= 1;
    const start = Object.hasOwn(after, path) ? after[path] : undefined;
    const folder = listFolder({ path, after: start, budget, ...asked }, resolve, roots);
    folders.push(folder);
    budget -= sizeOf(folder);
    if (unnamed > 0)
      for (const child of childrenOf(folder, isIgnored).slice(0, unnamed).reverse())
        waiting.push({ path: child, isNamed: false });
  }
  return folders;
}

/** The folders in a folder; none if a marker means that the caller must decide. */
function childrenOf({ path, entries, markers }: DiskFolder, isIgnored: IsIgnored): string[] {
  if (markers !== undefined) return [];
  const inside = path === '/' ? '' : path;
  return entries
    .filter(({ kind, name }) => kind === 'folder' && !isIgnored(name))
    .map(({ name }) => `${inside}/${name}`);
}

/** About how many characters of JSON a folder takes. */
function sizeOf({ path, entries, problems }: DiskFolder): number {
  const names = entries.reduce((sum, { name }) => sum + name.length + 64, 0);
  return path.length + 64 + names + problems.reduce((sum, { name }) => sum + name.length + 40, 0);
}
