/**
 * A walk of a tree in the byte order of URIs. Its position is a stack of listed folders. It reads ahead
 * what it will need next, many folders in one host call. This is only for speed: a walk that begins at a
 * place in the order gives exactly what a walk from the start gives after that place.
 */
import { createIgnoredNames } from '../../plugin-api/index.ts';
import type { DiskEntry, FileEntry, FileProblem } from '../../plugin-api/index.ts';
import { below, refusal, uriOf } from './file-uri.ts';
import { createFolderReader } from './folder-reader.ts';
import {
  ignoreFiles,
  isRuledOut,
  readFolderRule,
  readRulesAbove,
  type RuledFolder,
  type WalkedDisk,
} from './ignore-files.ts';
import { folderProblem, toProblem } from './listing-problem.ts';
import { createWalkStart } from './walk-start.ts';

export interface WalkPage {
  readonly entries: readonly FileEntry[];
  readonly problems: readonly FileProblem[];
  /** Where the page ended; `null` at the end of the tree. */
  readonly cursor: string | null;
  /** An estimate, 0 to 1. */
  readonly progress: number;
}

export interface TreeWalkOptions {
  /** Path of the folder to walk. */
  readonly root: string;
  /** Only files whose URI sorts after this text. */
  readonly cursor: string | null;
  /** Extensions of the files to list, lower case; all when absent. */
  readonly extensions: readonly string[] | undefined;
  /** Names that are left out, with all that is below them. */
  readonly ignore: readonly string[];
  /** Path of the folder from which on ignore files are obeyed; undefined = they are not. */
  readonly ignoreFilesFrom?: string | undefined;
  readonly disk: WalkedDisk;
}

/** A folder on the present path of the walk. */
interface Frame {
  readonly path: string;
  /** Prefix of the names below, relative to the root: empty, or ending in a slash. */
  readonly prefix: string;
  /** How many folders with patterns were on the path before this one. */
  readonly ruledBefore: number;
  entries: readonly DiskEntry[];
  index: number;
  /** Number of entries before and after these. */
  before: number;
  behind: number;
}

/** The content of a page so far. */
interface Gathered {
  readonly entries: FileEntry[];
  readonly problems: FileProblem[];
  examined: number;
  /** Characters of the URIs. */
  length: number;
}

const maxDepth = 64;
/** A page ends after so much work or text even if it has few files. */
const maxExamined = 20_000;
const maxHostCalls = 8;
const maxLength = 1_000_000;
/** Of its limit, a page must have at least this share before it may end, since every page has a cost. */
const leastShare = 0.75;
/** How many entries ahead the walk looks for folders to read. */
const maxLookAhead = 2500;

/** A walk at some position. It must not get two requests at once. */
export class TreeWalk {
  readonly #options: TreeWalkOptions;
  readonly #isIgnored: ReturnType<typeof createIgnoredNames>;
  readonly #rootUri: string;
  readonly #start: ReturnType<typeof createWalkStart>;
  readonly #markers: ReturnType<typeof markersOf>;
  readonly #reader: ReturnType<typeof createFolderReader>;
  readonly #stack: Frame[] = [];
  /** Folders on the present path that have patterns, the outermost first. */
  readonly #ruled: RuledFolder[] = [];
  #position: string;
  #hasBegun = false;

  constructor(options: TreeWalkOptions) {
    this.#options = options;
    this.#isIgnored = createIgnoredNames(options.ignore);
    this.#rootUri = uriOf(options.root);
    this.#start = createWalkStart(this.#rootUri, options.cursor);
    this.#markers = markersOf(options);
    this.#reader = createFolderReader({
      disk: options.disk,
      extensions: options.extensions,
      markers: this.#markers,
      ignore: options.ignore,
      upcoming: this.#upcoming,
    });
    this.#position = this.#start.text;
  }

  readonly nextPage = async (limit: number): Promise<WalkPage> => {
    const gathered: Gathered = { entries: [], problems: [], examined: 0, length: 0 };
    const from = { position: this.#position, hostCalls: this.#reader.hostCalls() };
    if (!this.#hasBegun) await this.#begin(gathered);
    while (this.#stack.length > 0 && gathered.entries.length < limit) {
      if (isNaturalEnd(gathered.entries, limit)) break;
      if (
        this.#position !== from.position &&
        isEnough(gathered, this.#reader.hostCalls() - from.hostCalls)
      )
        break;
      await this.#step(gathered);
    }
    const { entries, problems } = gathered;
    if (this.#stack.length === 0) return { entries, problems, cursor: null, progress: 1 };
    return {
      entries,
      problems,
      cursor: below(this.#rootUri, this.#position),
      progress: progressOf(this.#stack),
    };
  };

  /** Reads the folders that contain the start in one call; else each would be a host call. */
  async #begin(gathered: Gathered): Promise<void> {
    const { ignoreFilesFrom, disk, root } = this.#options;
    const above =
      ignoreFilesFrom === undefined ? [] : await readRulesAbove(disk, ignoreFilesFrom, root);
    if (above === 'left-out') {
      this.#hasBegun = true;
      return;
    }
    this.#ruled.push(...above);
    const way = this.#start.prefixes().slice(0, maxDepth);
    await this.#reader.prepare(
      new Map(way.map((prefix) => [this.#pathOf(prefix), this.#start.nameIn(prefix)])),
    );
    await this.#enter('', gathered);
    this.#hasBegun = true;
  }

  async #step(gathered: Gathered): Promise<void> {
    const frame = this.#stack.at(-1);
    const entry = frame?.entries[frame.index];
    if (!frame) return;
    if (entry) {
      frame.index += 1;
      gathered.examined += 1;
      await this.#pass(frame, entry, gathered);
    } else if (frame.behind > 0) await this.#readOn(frame, gathered);
    else {
      this.#stack.pop();
      this.#ruled.length = frame.ruledBefore;
    }
  }

  async #pass(frame: Frame, entry: DiskEntry, gathered: Gathered): Promise<void> {
    const name = `${frame.prefix}${entry.name}`;
    const key = entry.kind === 'folder' ? `${name}/` : name;
    if (!this.#start.isBefore(key)) return;
    if (key > this.#position) this.#position = key;
    if (this.#isIgnored(entry.name)) return;
    if (
      this.#ruled.length > 0 &&
      isRuledOut(this.#ruled, this.#pathOf(`${name}/`), entry.kind === 'folder')
    )
      return;
    if (entry.kind === 'folder') await this.#enter(key, gathered);
    else {
      const { size, modifiedAt } = entry;
      const uri = below(this.#rootUri, name);
      gathered.entries.push({ uri, kind: 'file', size, modifiedAt });
      gathered.length += uri.length;
    }
  }

  async #enter(prefix: string, gathered: Gathered): Promise<void> {
    const uri = this.#uriAt(prefix);
    if (this.#stack.length > maxDepth) {
      report(gathered, [folderProblem(uri, 'too-deep')]);
      return;
    }
    const path = this.#pathOf(prefix);
    const folder = await this.#reader.read(path, this.#start.nameIn(prefix));
    const { entries, problems, error, skipped = 0, remaining = 0 } = folder;
    if (error && prefix === '') throw refusal(error.code, error.message);
    const rule = error ? [] : await readFolderRule(this.#options.disk, folder);
    if (rule === 'left-out') return;
    if (error) report(gathered, [folderProblem(uri, error.code)]);
    else {
      const ruledBefore = this.#ruled.length;
      this.#ruled.push(...rule);
      const span = { before: skipped, behind: remaining };
      this.#stack.push({ path, prefix, ruledBefore, entries, index: 0, ...span });
    }
    report(
      gathered,
      problems.map((problem) => toProblem(uri, problem)),
    );
  }

  /** The next part of a folder that did not fit into one listing. */
  async #readOn(frame: Frame, gathered: Gathered): Promise<void> {
    const last = frame.entries.at(-1);
    const after = last?.kind === 'folder' ? `${last.name}/` : (last?.name ?? '');
    const { entries, error, remaining = 0 } = await this.#reader.readOn(frame.path, after);
    frame.before += frame.entries.length;
    frame.entries = entries;
    frame.index = 0;
    frame.behind = remaining;
    if (error) report(gathered, [folderProblem(this.#uriAt(frame.prefix), error.code)]);
  }

  /**
   * Folders that the walk reaches next and has not read yet, nearest first. It looks only so far ahead,
   * which bounds the memory, and also into folders that were read ahead: so each call reads what the next
   * entries need, at any depth.
   */
  readonly #upcoming = (count: number): readonly string[] => {
    const paths: string[] = [];
    let lookAhead = maxLookAhead;
    const collect = (path: string, entries: readonly DiskEntry[], from: number): void => {
      for (let index = from; index < entries.length && paths.length < count; index += 1) {
        lookAhead -= 1;
        if (lookAhead <= 0) return;
        const entry = entries[index];
        if (entry?.kind !== 'folder' || this.#isIgnored(entry.name)) continue;
        const child = path === '/' ? `/${entry.name}` : `${path}/${entry.name}`;
        const listed = this.#reader.peek(child);
        if (!listed) paths.push(child);
        else if (!listed.markers) collect(child, listed.entries, 0);
      }
    };
    for (const frame of this.#stack.toReversed()) collect(frame.path, frame.entries, frame.index);
    return paths;
  };

  #pathOf(prefix: string): string {
    const { root } = this.#options;
    const inside = prefix.slice(0, -1);
    if (inside === '') return root;
    return root === '/' ? `/${inside}` : `${root}/${inside}`;
  }

  #uriAt(prefix: string): string {
    return prefix === '' ? this.#rootUri : below(this.#rootUri, prefix.slice(0, -1));
  }
}

/** Creates a walk; it reads nothing before its first page. */
export const createTreeWalk = (options: TreeWalkOptions): TreeWalk => new TreeWalk(options);

const markersOf = ({ ignoreFilesFrom }: TreeWalkOptions): readonly string[] =>
  ignoreFilesFrom === undefined ? [] : ignoreFiles;

function report(gathered: Gathered, problems: readonly FileProblem[]): void {
  gathered.problems.push(...problems);
  for (const { uri } of problems) gathered.length += uri.length;
}

function isEnough({ examined, length }: Gathered, hostCalls: number): boolean {
  return examined >= maxExamined || length >= maxLength || hostCalls >= maxHostCalls;
}

/**
 * Whether the page may end here, by the name of its last entry. So after a file was added or removed, pages
 * soon begin again at the same places, and can be recognized by their digest.
 */
function isNaturalEnd(entries: readonly FileEntry[], limit: number): boolean {
  const last = entries.at(-1);
  if (last === undefined || entries.length < limit * leastShare) return false;
  let sum = 0;
  for (let at = last.uri.length - 1, end = at - 40; at >= 0 && at > end; at -= 1)
    sum = (Math.imul(sum, 31) + last.uri.charCodeAt(at)) | 0;
  return ((sum ^ (sum >>> 15)) & 63) === 0;
}

/** The share of the tree that the walk has passed, as if all folders in a folder had the same size. */
function progressOf(stack: readonly Frame[]): number {
  let weight = 1;
  let progress = 0;
  for (const [depth, { before, entries, behind, index }] of stack.entries()) {
    const total = Math.max(1, before + entries.length + behind);
    const isInside = depth < stack.length - 1;
    progress += (weight * (before + index - (isInside ? 1 : 0))) / total;
    weight /= total;
  }
  return Math.min(1, Math.max(0, progress));
}
