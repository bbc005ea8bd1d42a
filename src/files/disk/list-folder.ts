/** One folder's entries, in the order of URIs. */
import { lstatSync, readdirSync, statSync, type Dirent, type Stats } from 'node:fs';
import type { DiskEntry, DiskFolder } from '../../../plugin-api/index.ts';
import { realPath, topOf, type Roots } from './confinement.ts';
import { errnoOf, toDiskFault, type DiskFault } from './disk-fault.ts';
import { encodeName, isWithin, toBytePath, toLocal } from './disk-path.ts';
import type { FolderResolver, ResolvedFolder } from './folder-resolver.ts';

/** What to list of a folder, and how much of it. */
export interface FolderQuestion {
  readonly path: string;
  /** Only entries that sort after it. */
  readonly after: string | undefined;
  /** About how many characters of JSON the answer may have; it always has room for one entry. */
  readonly budget: number;
  /** The most entries. */
  readonly limit: number;
  /** Whether files with this encoded name are listed. */
  readonly isWanted: (name: string) => boolean;
  /** Encoded names of files that are reported separately from the entries. */
  readonly markers: ReadonlySet<string>;
}

type Problem = DiskFolder['problems'][number];

/** A child before its type and size are read. */
interface Child {
  readonly name: string;
  /** The sort key: the name, followed by `/` for a folder. */
  readonly key: string;
  readonly local: string | Buffer;
  /** Already read for a link, since its sort key depends on it. */
  readonly stats?: Stats;
}

/** Characters of an entry in JSON besides its name. */
const entryOverhead = 64;

/** Lists one folder. Never throws: an unreadable folder gives an answer with a problem. */
export function listFolder(
  question: FolderQuestion,
  resolve: FolderResolver,
  roots: Roots,
): DiskFolder {
  try {
    return readFolder(question, resolve(question.path), roots);
  } catch (error) {
    return refusal(question.path, toDiskFault(error, 'The folder'));
  }
}

function refusal(path: string, fault: DiskFault): DiskFolder {
  const { code, what } = fault;
  return { path, entries: [], problems: [], error: { code, message: messageOf(code, what) } };
}

function messageOf(code: DiskFault['code'], what: string): string {
  switch (code) {
    case 'not_found':
      return `${what} does not exist.`;
    case 'outside_root':
      return `${what} is outside of the granted roots.`;
    case 'symlink_loop':
      return `${what} is a symlink loop.`;
    case 'unreadable':
      return `${what} could not be read.`;
    case 'invalid_argument':
      return what;
  }
}

function readFolder(question: FolderQuestion, folder: ResolvedFolder, roots: Roots): DiskFolder {
  const base = toLocal(folder.real);
  const problems: Problem[] = [];
  const children: Child[] = [];
  const markers: Marker[] = [];
  let links: LinkCheck | null = null;
  for (const dirent of readDirents(base)) {
    const name = encodeName(dirent.name);
    if (question.markers.has(name)) markers.push(...markerOf(name, childOf(base, dirent.name)));
    if (dirent.isFile() && !question.isWanted(name)) continue;
    const local = childOf(base, dirent.name);
    if (dirent.isFile()) children.push({ name, key: name, local });
    else if (dirent.isDirectory()) children.push({ name, key: `${name}/`, local });
    else if (dirent.isSymbolicLink()) {
      links ??= createLinkCheck(folder, roots);
      const followed = links.follow(local);
      if (typeof followed === 'string') problems.push({ name, code: followed });
      else if (followed && (followed.isDirectory() || question.isWanted(name)))
        children.push({ name, key: keyOf(name, followed), local, stats: followed });
    }
  }
  children.sort((a, b) => (a.key < b.key ? -1 : 1));
  const listed = collect(children, question, problems);
  return { path: question.path, ...listed, ...(markers.length > 0 && { markers }) };
}

type Marker = NonNullable<DiskFolder['markers']>[number];

/** Only a regular file is a marker, not a link to one. */
function markerOf(name: string, local: string | Buffer): readonly Marker[] {
  try {
    const stats = lstatSync(local);
    return stats.isFile() ? [{ name, size: stats.size }] : [];
  } catch {
    return [];
  }
}

function keyOf(name: string, stats: Stats): string {
  return stats.isDirectory() ? `${name}/` : name;
}

/** Reads the children after `after`, as many as the budget allows. */
function collect(
  children: readonly Child[],
  { after, budget, limit }: FolderQuestion,
  problems: Problem[],
): Omit<DiskFolder, 'path'> {
  const start = after === undefined ? 0 : firstAfter(children, after);
  const entries: DiskEntry[] = [];
  let spent = 0;
  let index = start;
  const isFull = (): boolean => entries.length >= limit || (spent >= budget && entries.length > 0);
  for (; index < children.length && !isFull(); index += 1) {
    const child = children[index];
    if (!child) break;
    spent += child.name.length + entryOverhead;
    const seen = look(child);
    if (typeof seen === 'string') problems.push({ name: child.name, code: seen });
    else if (seen) entries.push(seen);
  }
  return {
    entries,
    problems,
    ...(start > 0 && { skipped: start }),
    ...(index < children.length && { remaining: children.length - index }),
  };
}

function firstAfter(children: readonly Child[], after: string): number {
  const index = children.findIndex(({ key }) => key > after);
  return index === -1 ? children.length : index;
}

/** The entry, or the problem; `null` for what is neither file nor folder. */
function look({ name, key, local, stats }: Child): DiskEntry | Problem['code'] | null {
  if (key.endsWith('/')) return { name, kind: 'folder', size: 0, modifiedAt: 0 };
  try {
    const seen = stats ?? lstatSync(local);
    if (!seen.isFile()) return null;
    return { name, kind: 'file', size: seen.size, modifiedAt: Math.floor(seen.mtimeMs) };
  } catch (error) {
    return problemOf(error);
  }
}

function problemOf(error: unknown): Problem['code'] {
  const errno = errnoOf(error);
  if (errno === 'ENOENT' || errno === 'ENOTDIR') return 'not-found';
  if (errno === 'ELOOP') return 'symlink-loop';
  return errno === 'ENAMETOOLONG' ? 'other' : 'unreadable';
}

/** Follows the links of one folder. */
type LinkCheck = ReturnType<typeof createLinkCheck>;

function createLinkCheck(folder: ResolvedFolder, roots: Roots) {
  const holders = [...withParents(folder)];
  return {
    /** The target of the link, or the problem; `null` for a pipe or a device. */
    follow(link: string | Buffer): Stats | Problem['code'] | null {
      try {
        const target = realPath(toBytePath(link));
        if (topOf(target, folder.spelled, roots) === null) return 'outside-root';
        const stats = statSync(toLocal(target));
        if (!stats.isDirectory()) return stats.isFile() ? stats : null;
        return holders.some(({ real }) => isWithin(real, target)) ? 'symlink-loop' : stats;
      } catch (error) {
        return problemOf(error);
      }
    },
  };
}

function* withParents(folder: ResolvedFolder): Generator<ResolvedFolder> {
  for (let holder: ResolvedFolder | null = folder; holder; holder = holder.parent) yield holder;
}

/**
 * The names in the folder. A name with U+FFFD may not be UTF-8, and a string could not name it; so
 * such a folder is read again as bytes.
 */
function readDirents(base: string | Buffer): readonly Dirent<string | Buffer>[] {
  const dirents = readdirSync(base, { withFileTypes: true });
  if (!dirents.some(({ name }) => name.includes('\uFFFD'))) return dirents;
  return readdirSync(base, { withFileTypes: true, encoding: 'buffer' });
}

function childOf(base: string | Buffer, name: string | Buffer): string | Buffer {
  if (typeof base === 'string' && typeof name === 'string') {
    return base === '/' ? `/${name}` : `${base}/${name}`;
  }
  return Buffer.concat([Buffer.from(base), Buffer.from('/'), Buffer.from(name)]);
}
