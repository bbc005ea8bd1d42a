/**
 * Whether the files of a stretch of a tree are as they were, without a word of what they are: their
 * digest, made where they are looked at. A listing carries each name through three processes; of a
 * library that has not changed, a digest says all there is to say.
 *
 * What a digest cannot tell of makes it `null`, and whoever asks lists the stretch instead: links, names
 * that are no UTF-8, places that cannot be read, folders with a file whose word counts there. A folder
 * that becomes a link while it is walked is followed; all that can come of it is a digest that fits nothing.
 */
import { lstatSync, readdirSync } from 'node:fs';
import { createDigest, createIgnoredNames } from '../../plugin-api/index.ts';
import { resolveWithin, type Root } from './confinement.ts';
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

/** What a stretch is, and where it is not what it was, if that was asked and can be told. */
export interface TreeDigest extends Partial<TreeDifference> {
  readonly digest: string;
  /** The digests of its files, one after the other. */
  readonly parts?: string;
}

/** Makes the digests of stretches below the roots. */
export type TreeDigests = (stretch: TreeStretch, roots: readonly Root[]) => TreeDigest | null;

/** A class, since V8 puts literals that a large folder once kept among what lives long from then on. */
class Child {
  readonly name: string;
  /** Encoded, with `/` behind it for a folder: children sort by it. */
  readonly key: string;

  constructor(name: string, key: string) {
    this.name = name;
    this.key = key;
  }
}

/** A folder that a walk is in. */
interface Frame {
  /** As this machine names it, with a slash at its end. */
  readonly folder: string;
  /** What keys below begin with: empty, or ending in a slash. */
  readonly prefix: string;
  readonly children: readonly Child[];
  index: number;
}

/** A walk that stands somewhere in the order of paths. */
interface Standing {
  readonly stack: Frame[];
  readonly since: number;
}

/** What no digest tells of was met. */
class Untellable extends Error {}

const maxDepth = 64;
/** A stretch is a page of a listing; one that has come to hold far more is not as it was. */
const maxFiles = 5000;
/** One that has come to hold this many is to be listed anew, in shorter pages. */
const maxCompared = 2000;
const maxStanding = 4;
/** What a walk has read is trusted for so long, as walks of listings are. */
const maxStandingMs = 30_000;

/** Creates it; a walk that ended a stretch goes on with the one that follows. */
export function createTreeDigests(clock: () => number = Date.now): TreeDigests {
  const standing = new Map<string, Standing>();

  function take(question: string): Standing | undefined {
    const found = standing.get(question);
    standing.delete(question);
    return found && clock() - found.since <= maxStandingMs ? found : undefined;
  }

  function keep(question: string, walk: Standing): void {
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
      if (isTold(error)) return null;
      throw error;
    }
  };
}

/** Whether it says something of the disk, which a listing will say better. */
function isTold(error: unknown): boolean {
  return error instanceof Untellable || error instanceof DiskFault || errnoOf(error) !== '';
}

function withPart({ place, size, modifiedAt }: FoundFile): DigestedFile {
  const digest = createDigest();
  digest.add(`${place} ${size} ${modifiedAt}`);
  return { place, size, modifiedAt, part: digest.text() };
}

/** Walks on to the end of the stretch, and gathers its files where they are wanted. */
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
      if (stack.length > maxDepth) throw new Untellable();
      stack.push(reader.read(frame.folder + child.name, key));
    } else if (key > after) {
      files += 1;
      if (files > maxFiles) throw new Untellable();
      const stats = lstatSync(frame.folder + child.name);
      if (!stats.isFile()) continue;
      const modifiedAt = Math.floor(stats.mtimeMs);
      digest.add(`${naming}/${key} ${stats.size} ${modifiedAt}`);
      found?.push({ place: key, size: stats.size, modifiedAt });
    }
  }
  return digest.text();
}

/** Reads the folders of one stretch. */
interface Reader {
  readonly top: (roots: readonly Root[]) => Frame;
  readonly read: (folder: string, prefix: string) => Frame;
}

function createReader({ path, extensions, ignore, markers }: TreeStretch): Reader {
  const isIgnored = createIgnoredNames(ignore);
  const marking = new Set(markers);
  const isWanted = createExtensionFilter(extensions);

  function read(folder: string, prefix: string): Frame {
    const children: Child[] = [];
    for (const dirent of readdirSync(folder, { withFileTypes: true })) {
      const name = encodeURIComponent(dirent.name);
      if (marking.has(name) || dirent.name.includes('\uFFFD')) throw new Untellable();
      if (isIgnored(name)) continue;
      if (dirent.isSymbolicLink()) throw new Untellable();
      if (dirent.isDirectory()) children.push(new Child(dirent.name, `${name}/`));
      else if (dirent.isFile() && isWanted(name)) children.push(new Child(dirent.name, name));
    }
    children.sort((a, b) => (a.key < b.key ? -1 : 1));
    return { folder: folder.endsWith('/') ? folder : `${folder}/`, prefix, children, index: 0 };
  }

  return {
    top: (roots) => {
      const plain = toPlainPath(resolveWithin(parsePath(path), roots, 'The folder'));
      if (plain === null) throw new Untellable();
      return read(plain, '');
    },
    read,
  };
}
