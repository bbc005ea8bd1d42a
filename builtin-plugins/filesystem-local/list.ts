import type {
  DiskEntry,
  DiskFolder,
  FileListing,
  Handler,
  Host,
  ListFilesInput,
} from '../../plugin-api/index.ts';
import { below, pathOf, refusal, uriOf } from './file-uri.ts';
import { toProblem } from './listing-problem.ts';
import { ignoreFiles, isRuledOut, readFolderRule, readRulesAbove } from './ignore-files.ts';
import type { FolderRule } from './ignore-files.ts';
import { askKnownPage, marksOf } from './known-page.ts';
import { createTreeWalk, type TreeWalk } from './tree-walk.ts';
import { createWalkStart } from './walk-start.ts';

const defaultLimit = 500;

/** A folder, or with `recursive` the files of the tree below it, a page at a time. */
export const list: Handler<ListFilesInput, FileListing> = (input, host) =>
  input.recursive ? listTree(input, host) : listFolder(input, host);

/** A walk that has ended a page. */
interface PausedWalk {
  readonly walk: TreeWalk;
  /** The disk of the present call: a host ends with its call, and a walk continues in the next one. */
  readonly way: { disk: Host['disk'] };
  readonly since: number;
  /** Whether the next page may be unchanged, so that a digest is worth its cost. */
  readonly mayDigest: boolean;
  /** Whether the way contains something that only a listing reports. */
  readonly needsListing: boolean;
}

/**
 * Walks that have ended a page, by the request that continues them. A missing walk is started again at its
 * cursor, with the same result; so this cache may be lost at any time.
 */
const pausedWalks = new Map<string, PausedWalk>();
const maxPausedWalks = 4;
/** What a walk has read ahead is used for so long. */
const maxPausedMs = 30_000;

/**
 * For a page that may be unchanged the plugin asks only for its digest, which names no files; for a changed
 * one only for its differences. After a page that had to be listed, pages are listed until one is
 * unchanged: where nearly everything has changed, digests would be wasted.
 */
async function listTree(input: ListFilesInput, host: Host): Promise<FileListing> {
  const { uri, cursor = null, limit = defaultLimit, extensions, ignore, ignoreFilesFrom } = input;
  const found = takePausedWalk(questionOf(input, cursor));
  const isDigestDue = found === undefined || (found.mayDigest && !found.needsListing);
  const answer = isDigestDue ? await askKnownPage({ ...input, limit }, host.disk) : undefined;
  if (typeof answer === 'object') return answer;
  const way = found?.way ?? { disk: host.disk };
  way.disk = host.disk;
  const walk = found?.walk ?? beginWalk();
  const page = await walk.nextPage(limit);
  const marks = page.problems.length > 0 ? undefined : marksOf(uri, page.entries);
  const isKnown = marks !== undefined && marks.digest === input.known;
  if (page.cursor !== null) {
    const needsListing = found?.needsListing === true || answer === 'needs-listing';
    savePausedWalk(questionOf(input, page.cursor), { walk, way, mayDigest: isKnown, needsListing });
  }
  if (marks === undefined) return page;
  const { digest } = marks;
  return isKnown ? { ...page, entries: [], digest, isKnown } : { ...page, ...marks };

  function beginWalk(): TreeWalk {
    return createTreeWalk({
      root: pathOf(uri),
      cursor,
      extensions,
      ignore: ignore ?? [],
      ignoreFilesFrom: ignoreFilesFrom === undefined ? undefined : pathOf(ignoreFilesFrom),
      disk: { list: (folders) => way.disk.list(folders), read: (file) => way.disk.read(file) },
    });
  }
}

function questionOf(
  { uri, extensions, ignore, ignoreFilesFrom }: ListFilesInput,
  cursor: string | null,
): string {
  return JSON.stringify([uri, extensions ?? null, ignore ?? null, ignoreFilesFrom ?? null, cursor]);
}

function takePausedWalk(question: string): PausedWalk | undefined {
  const found = pausedWalks.get(question);
  pausedWalks.delete(question);
  return found && Date.now() - found.since <= maxPausedMs ? found : undefined;
}

function savePausedWalk(question: string, walk: Omit<PausedWalk, 'since'>): void {
  pausedWalks.delete(question);
  pausedWalks.set(question, { ...walk, since: Date.now() });
  for (const oldest of pausedWalks.keys()) {
    if (pausedWalks.size <= maxPausedWalks) return;
    pausedWalks.delete(oldest);
  }
}

async function listFolder(input: ListFilesInput, host: Host): Promise<FileListing> {
  const { cursor = null, limit = defaultLimit } = input;
  const path = pathOf(input.uri);
  const uri = uriOf(path);
  const { text: start } = createWalkStart(uri, cursor);
  const { ignoreFilesFrom } = input;
  const asked = {
    paths: [path],
    limit,
    ...(start !== '' && { after: { [path]: start } }),
    ...(ignoreFilesFrom !== undefined && { markers: ignoreFiles }),
  };
  const [folder] = (await host.disk.list(asked)).folders;
  if (!folder) throw refusal('unreadable', 'The disk did not answer.');
  if (folder.error) throw refusal(folder.error.code, folder.error.message);
  const ruled =
    ignoreFilesFrom === undefined ? [] : await rulesIn(folder, pathOf(ignoreFilesFrom), host);
  if (ruled === 'left-out') return { entries: [], cursor: null, problems: [] };
  const shown = folder.entries.slice(0, limit);
  const last = shown.at(-1);
  const isWhole = shown.length === folder.entries.length && folder.remaining === undefined;
  return {
    entries: shown
      .filter(({ name, kind }) => !isRuledOut(ruled, `${path}/${name}`, kind === 'folder'))
      .map(({ name, ...entry }) => ({ uri: below(uri, name), ...entry })),
    cursor: isWhole || !last ? null : below(uri, keyOf(last)),
    // Each is reported once: with the page that it sorts into.
    problems: folder.problems
      .filter(({ name }) => name > start && (isWhole || !last || name < keyOf(last)))
      .map((problem) => toProblem(uri, problem)),
  };
}

/** The sort key of an entry. */
const keyOf = ({ name, kind }: DiskEntry): string => (kind === 'folder' ? `${name}/` : name);

/** The ignore rules of a folder: of those above it, and its own. */
async function rulesIn(folder: DiskFolder, from: string, { disk }: Host): Promise<FolderRule> {
  const above = await readRulesAbove(disk, from, folder.path);
  if (above === 'left-out') return above;
  const own = await readFolderRule(disk, folder);
  return own === 'left-out' ? own : [...above, ...own];
}
