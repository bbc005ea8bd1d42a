/** A page of a folder, or of the tree below it, in the order of URIs. */
import {
  createIgnoredNames,
  type FileEntry,
  type FileListing,
  type FileProblem,
  type ListFilesInput,
} from '@vitrine/plugin-api';
import type { Bucket } from './bucket.ts';
import { fault } from './fault.ts';
import { parsePlace, uriOf } from './place.ts';
import { walkFolder } from './folder.ts';
import { walkTree, type Step } from './tree.ts';

const usualLimit = 500;
const mostProblems = 100;
/** A call has 30 s; a page that has taken this long ends early. */
const mostMs = 10_000;

/** Lists. */
export async function list(input: ListFilesInput, bucket: Bucket): Promise<FileListing> {
  const { uri, cursor = null, limit = usualLimit, recursive = false } = input;
  const { prefix } = parsePlace(uri);
  const top = `s3://${bucket.name}/`;
  const after = cursor === null ? '' : placeIn(top, cursor);
  const isLeftOut = createFilter(input, `${uri}/`.slice(top.length));
  const walk = recursive ? walkTree : walkFolder;
  const endsAt = Date.now() + mostMs;
  const entries: FileEntry[] = [];
  const problems: FileProblem[] = [];
  let reached = after;
  for await (const step of walk({ bucket, prefix, after, isLeftOut })) {
    if (step.kind === 'hidden') {
      if (problems.length < mostProblems) problems.push(hiddenProblem(uri, step.key));
      continue;
    }
    // Pages depend on the order, so the plugin checks it itself.
    if (step.place <= reached && reached !== '') continue;
    if (isFull()) return { entries, problems, cursor: top + reached };
    reached = step.place;
    take(step);
  }
  return { entries, problems, cursor: null };

  function isFull(): boolean {
    // A page that ended where it began would be repeated for ever.
    return entries.length >= limit || (Date.now() > endsAt && reached !== after);
  }

  function take(step: Exclude<Step, { kind: 'hidden' }>): void {
    if (step.kind === 'folder') {
      const folder = top + step.place.slice(0, -1);
      if (!recursive) entries.push({ uri: folder, kind: 'folder', size: 0, modifiedAt: 0 });
      return;
    }
    const { key, size, modifiedAt, isArchived } = step.object;
    const file = uriOf(bucket.name, key);
    if (isArchived) problems.push(archiveProblem(file));
    else if (isWanted(key)) entries.push({ uri: file, kind: 'file', size, modifiedAt });
  }

  function isWanted(key: string): boolean {
    const { extensions } = input;
    if (!recursive || extensions === undefined) return true;
    return extensions.includes(/\.([^./]+)$/.exec(key)?.[1]?.toLowerCase() ?? '');
  }
}

/** Names below the listed folder that a scan ignores. */
function createFilter({ recursive, ignore }: ListFilesInput, base: string) {
  if (recursive !== true) return () => false;
  const isIgnored = createIgnoredNames(ignore);
  return (place: string): boolean =>
    place
      .slice(base.length)
      .split('/')
      .some((name) => name !== '' && isIgnored(name));
}

function placeIn(top: string, cursor: string): string {
  if (cursor.startsWith(top)) return cursor.slice(top.length);
  throw fault('invalid_argument', 'The cursor is of another bucket.');
}

/** Without the code for unreadable: so nothing else below the folder is in doubt. */
const hiddenProblem = (uri: string, key: string): FileProblem => ({
  uri,
  code: 'outside-root',
  message: `The key ${JSON.stringify(key.slice(0, 200))} is not the path of a file; it is not shown.`,
});

const archiveProblem = (uri: string): FileProblem => ({
  uri,
  code: 'unreadable',
  message: 'The object is in an archive, and has to be restored first.',
});
