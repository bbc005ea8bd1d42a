/**
 * Digest of a range of the file tree: detects changes without transferring names.
 *
 * A digest is `null` if the range has links, names that are not UTF-8, unreadable places, or
 * folders with a marker file; the caller then lists the range instead. A folder that becomes a link
 * during the walk is followed, which at worst gives a digest that matches nothing.
 */
import { lstatSync, readdirSync } from 'node:fs';
import { createDigest, createIgnoredNames } from '../../../plugin-api/index.ts';
import { resolveWithin, type Roots } from './confinement.ts';
import type { TreeStretch } from './disk.ts';
import { errnoOf, DiskFault } from './disk-fault.ts';
import { parsePath, toPlainPath } from './disk-path.ts';
import { createExtensionFilter } from './extension-filter.ts';
import {
  differenceOf,
  type DigestedFile,
  type FoundFile,
  type TreeDifference,
} from './tree-difference.ts';

/** The digest of a range, and where it differs from the known one, if requested and possible. */
export interface TreeDigest extends Partial<TreeDifference> {
  readonly digest: string;
  /** The digests of its files, one after the other. */
  readonly parts?: string;
}

/** Computes the digests of ranges below the roots. */
export type TreeDigests = (stretch: TreeStretch, roots: Roots) => TreeDigest | null;

/** A class, since its instances are collected sooner than literals. */
class Child {
  readonly name: string;
  /** Encoded, followed by `/` for a folder: the sort key. */
  readonly key: string;

  constructor(name: string, key: string) {
    this.name = name;
    this.key = key;
  }
}

/** A folder of the current path of a walk. */
interface Frame {
  /** The local path with a trailing slash. */
  readonly folder: string;
  /** The prefix of the keys below: empty, or ending in a slash. */
  readonly prefix: string;
  readonly children: readonly Child[];
  index: number;
}

/** An open walk at a position in the order of paths. */
interface OpenWalk {
  readonly stack: Frame[];
  readonly since: number;
}

/** The walk met something that digests do not cover. */
class NoDigest extends Error {}

const maxDepth = 64;
/** A range is a page of a listing; one with far more files has changed. */
const maxFiles = 5000;
/** A range with this many files is listed again in shorter pages. */
const maxCompared = 2000;
const maxStanding = 4;
/** How long the names that a walk has read are trusted. */
const maxStandingMs = 30_000;

/** Creates it; a walk that ended a range continues with the following one. */
export function createTreeDigests(clock: () => number = Date.now): TreeDigests {
  const standing = new Map<string, OpenWalk>();

  function take(question: string): OpenWalk | undefined {
    const found = standing.get(question);
    standing.delete(question);
    return found && clock() - found.since <= maxStandingMs ? found : undefined;
  }

  function keep(question: string, walk: OpenWalk): void {
    standing.set(question, walk);
    for (const oldest of standing.keys()) {
      if (standing.size <= maxStanding) return;
      standing.delete(oldest);
    }
  }

  return (stretch, roots) => {
    const { unlike, ...asked } = stretch;
    const questionAt = (place: string): string =>
      JSON.stringify([{ ...asked, after: place, through: null }, roots]);
    try {
      const reader = createReader(stretch);
      const walk = take(questionAt(stretch.after));
      const stack = walk?.stack ?? [reader.top(roots)];
      const found: FoundFile[] = [];
      const digest = digestOf(stretch, stack, reader, unlike && found);
      const { through } = stretch;
      if (through !== null) keep(questionAt(through), { stack, since: walk?.since ?? clock() });
      if (unlike === undefined || digest === unlike.digest || found.length > maxCompared)
        return { digest };
      const files = found.map(withPart);
      const parts = files.map(({ part }) => part).join('');
      return { digest, parts, ...differenceOf(stretch, files, unlike) };
    } catch (error) {
      if (isDiskProblem(error)) return null;
      throw error;
    }
  };
}

/** Whether the error is a problem of the disk, which a listing reports better. */
function isDiskProblem(error: unknown): boolean {
  return error instanceof NoDigest || error instanceof DiskFault || errnoOf(error) !== '';
}

function withPart({ place, size, modifiedAt }: FoundFile): DigestedFile {
  const digest = createDigest();
  digest.add(`${place} ${size} ${modifiedAt}`);
  return { place, size, modifiedAt, part: digest.text() };
}

/** Walks to the end of the range, and collects its files if requested. */
function digestOf(
  stretch: TreeStretch,
  stack: Frame[],
  reader: Reader,
  found?: FoundFile[],
): string {
  const { after, through, naming } = stretch;
  const digest = createDigest();
  let files = 0;
  for (let frame = stack.at(-1); frame !== undefined; frame = stack.at(-1)) {
    const child = frame.children[frame.index];
    if (child === undefined) {
      stack.pop();
      continue;
    }
    const key = frame.prefix + child.key;
    if (through !== null && key > through) break;
    frame.index += 1;
    if (key.endsWith('/')) {
      if (key <= after && !after.startsWith(key)) continue;
      if (stack.length > maxDepth) throw new NoDigest();
      stack.push(reader.read(frame.folder + child.name, key));
    } else if (key > after) {
      files += 1;
      if (files > maxFiles) throw new NoDigest();
      const stats = lstatSync(frame.folder + child.name);
      if (!stats.isFile()) continue;
      const modifiedAt = Math.floor(stats.mtimeMs);
      digest.add(`${naming}/${key} ${stats.size} ${modifiedAt}`);
      found?.push({ place: key, size: stats.size, modifiedAt });
    }
  }
  return digest.text();
}

/** Reads the folders of one range. */
type Reader = ReturnType<typeof createReader>;

function createReader({ path, extensions, ignore, markers }: TreeStretch) {
  const isIgnored = createIgnoredNames(ignore);
  const marking = new Set(markers);
  const isWanted = createExtensionFilter(extensions);

  function read(folder: string, prefix: string): Frame {
    const children: Child[] = [];
    for (const dirent of readdirSync(folder, { withFileTypes: true })) {
      const name = encodeURIComponent(dirent.name);
      if (marking.has(name) || dirent.name.includes('\uFFFD')) throw new NoDigest();
      if (isIgnored(name)) continue;
      if (dirent.isSymbolicLink()) throw new NoDigest();
      if (dirent.isDirectory()) children.push(new Child(dirent.name, `${name}/`));
      else if (dirent.isFile() && isWanted(name)) children.push(new Child(dirent.name, name));
    }
    children.sort((a, b) => (a.key < b.key ? -1 : 1));
    return { folder: folder.endsWith('/') ? folder : `${folder}/`, prefix, children, index: 0 };
  }

  return {
    top: (roots: Roots): Frame => {
      const plain = toPlainPath(resolveWithin(parsePath(path), roots, 'The folder'));
      if (plain === null) throw new NoDigest();
      return read(plain, '');
    },
    read,
  };
}
