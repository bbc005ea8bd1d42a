import { createDigest, createIgnoredNames } from '../../plugin-api/index.ts';
import type {
  DiskFolder,
  FileEntry,
  FileListing,
  Handler,
  Host,
  ListFilesInput,
} from '../../plugin-api/index.ts';
import { below, pathOf, refusal, uriOf } from './file-uri.ts';
import { toProblem } from './listing-problem.ts';
import { ignoreFiles, isRuledOut, readFolderRule, readRulesAbove } from './ignore-files.ts';
import type { FolderRule } from './ignore-files.ts';
import { createTreeWalk, type TreeWalk } from './tree-walk.ts';
import { createWalkStart } from './walk-start.ts';

const defaultLimit = 500;

/** A folder, or with `recursive` the files of the tree below it, a page at a time. */
export const list: Handler<ListFilesInput, FileListing> = (input, host) =>
  input.recursive ? listTree(input, host) : listFolder(input, host);

/** A walk that ended a page. */
interface Standing {
  readonly walk: TreeWalk;
  readonly since: number;
  /** Whether the next page may be as it was, and a digest would tell. */
  readonly mayDigest: boolean;
  /** Whether something on the way is told of by a listing alone. */
  readonly isUntellable: boolean;
}

/**
 * Walks that ended a page, by the question that goes on with them. A walk that is not here any more
 * is begun anew at its cursor, with the same result; so this may be lost at any time.
 */
const standing = new Map<string, Standing>();
const maxStanding = 4;
/** What a walk has read ahead is trusted for so long. */
const maxStandingMs = 30_000;

/**
 * A page that may be the known one is asked for by its digest alone, which names nothing. After one that
 * was not, pages are listed until one is as it was: where much has changed, digests would be made in vain.
 */
async function listTree(input: ListFilesInput, host: Host): Promise<FileListing> {
  const { uri, cursor = null, limit = defaultLimit, extensions, ignore, ignoreFilesFrom } = input;
  const found = takeStanding(questionOf(input, cursor));
  const isDigestDue = found === undefined || (found.mayDigest && !found.isUntellable);
  const digested = isDigestDue ? await digestKnown(input, host.disk) : undefined;
  if (digested === 'as-it-was') return knownPage(input);
  const walk = found?.walk ?? beginWalk();
  const page = await walk.nextPage(limit);
  const digest = page.problems.length > 0 ? undefined : digestOf(page.entries);
  const isKnown = digest !== undefined && digest === input.known;
  if (page.cursor !== null) {
    const isUntellable = found?.isUntellable === true || digested === 'untellable';
    keepStanding(questionOf(input, page.cursor), { walk, mayDigest: isKnown, isUntellable });
  }
  if (digest === undefined) return page;
  return isKnown ? { ...page, entries: [], digest, isKnown } : { ...page, digest };

  function beginWalk(): TreeWalk {
    return createTreeWalk({
      root: pathOf(uri),
      cursor,
      extensions,
      isIgnored: createIgnoredNames(ignore),
      ignoreFilesFrom: ignoreFilesFrom === undefined ? undefined : pathOf(ignoreFilesFrom),
      disk: host.disk,
    });
  }
}

/** The page that the asker knows. */
const knownPage = ({ known, knownThrough = null }: ListFilesInput): FileListing => ({
  entries: [],
  problems: [],
  cursor: knownThrough,
  isKnown: true,
  ...(known !== undefined && { digest: known }),
});

/** Whether the known page is as it was; undefined when that was not asked. */
async function digestKnown(
  { uri, cursor = null, known, knownThrough, extensions, ignore, ignoreFilesFrom }: ListFilesInput,
  disk: Host['disk'],
): Promise<'as-it-was' | 'changed' | 'untellable' | undefined> {
  if (known === undefined || knownThrough === undefined) return undefined;
  const path = pathOf(uri);
  const root = uriOf(path);
  // Ignore files of the folders above are read by a listing alone.
  if (ignoreFilesFrom !== undefined && ignoreFilesFrom !== uri) return undefined;
  const places = [cursor, knownThrough].map((place) => placeBelow(root, place));
  const [after, through] = places;
  if (after === undefined || through === undefined) return undefined;
  const { digest } = await disk.digest({
    path,
    after: after ?? '',
    through,
    naming: root,
    ...(extensions && { extensions }),
    ...(ignore && { ignore }),
    ...(ignoreFilesFrom !== undefined && { markers: ignoreFiles }),
  });
  if (digest === null) return 'untellable';
  return digest === known ? 'as-it-was' : 'changed';
}

/** A place in the order of URIs as a path below a root; undefined for one that is not below it. */
function placeBelow(root: string, place: string | null): string | null | undefined {
  if (place === null) return null;
  return place.startsWith(`${root}/`) ? place.slice(root.length + 1) : undefined;
}

function digestOf(entries: readonly FileEntry[]): string {
  const digest = createDigest();
  for (const { uri, size, modifiedAt } of entries) digest.add(`${uri} ${size} ${modifiedAt}`);
  return digest.text();
}

function questionOf(
  { uri, extensions, ignore, ignoreFilesFrom }: ListFilesInput,
  cursor: string | null,
): string {
  return JSON.stringify([uri, extensions ?? null, ignore ?? null, ignoreFilesFrom ?? null, cursor]);
}

function takeStanding(question: string): Standing | undefined {
  const found = standing.get(question);
  standing.delete(question);
  return found && Date.now() - found.since <= maxStandingMs ? found : undefined;
}

function keepStanding(question: string, walk: Omit<Standing, 'since'>): void {
  standing.delete(question);
  standing.set(question, { ...walk, since: Date.now() });
  for (const oldest of standing.keys()) {
    if (standing.size <= maxStanding) return;
    standing.delete(oldest);
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
    ...(start !== '' && { after: { [path]: start } }),
    ...(ignoreFilesFrom !== undefined && { markers: ignoreFiles }),
  };
  const [folder] = (await host.disk.list(asked)).folders;
  if (!folder) throw refusal('unreadable', 'The disk answered nothing.');
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
    cursor:
      isWhole || !last ? null : `${below(uri, last.name)}${last.kind === 'folder' ? '/' : ''}`,
    problems: start === '' ? folder.problems.map((problem) => toProblem(uri, problem)) : [],
  };
}

/** What ignore files say in a folder: those above it, and its own. */
async function rulesIn(folder: DiskFolder, from: string, { disk }: Host): Promise<FolderRule> {
  const above = await readRulesAbove(disk, from, folder.path);
  if (above === 'left-out') return above;
  const own = await readFolderRule(disk, folder);
  return own === 'left-out' ? own : [...above, ...own];
}
