/**
 * A page of a folder, or of the tree below it. Pages follow the order of URIs as bytes, in which a
 * folder sorts as if its name ended in a slash. So a page can begin at any place, and no state is
 * kept between pages.
 */
import {
  createIgnoredNames,
  type FileEntry,
  type FileListing,
  type FileProblem,
  type ListFilesInput,
} from '@vitrine/plugin-api';
import type { WebFiles } from './web-files.ts';

const usualLimit = 500;
/** A call has 30 s; a page that took this long ends early. */
const mostMs = 10_000;

/** Lists one page. */
export async function list(input: ListFilesInput, files: WebFiles): Promise<FileListing> {
  const { uri, cursor = null, limit = usualLimit, extensions, ignore = [] } = input;
  const isIgnored = createIgnoredNames(ignore);
  const wanted = extensions && new Set(extensions);
  const endsAt = Date.now() + mostMs;
  const entries: FileEntry[] = [];
  const problems: FileProblem[] = [];
  let place = cursor;

  /** Returns false when the page is full. */
  async function walk(folder: string): Promise<boolean> {
    for (const entry of await childrenOf(folder)) {
      const key = keyOf(entry);
      // Entries up to the cursor were on an earlier page; a folder that contains the cursor is
      // entered again.
      if (cursor !== null && key <= cursor && !cursor.startsWith(key)) continue;
      if (input.recursive === true && isIgnored(nameOf(entry.uri))) continue;
      if (entry.kind === 'folder' && input.recursive === true) {
        place = later(place, key);
        if (!(await walk(entry.uri))) return false;
      } else if (cursor === null || key > cursor) {
        if (isWanted(entry)) entries.push(entry);
        place = later(place, key);
      }
      if (entries.length >= limit) return false;
      // A page must get beyond its cursor, or it would repeat for ever.
      if (Date.now() > endsAt && place !== cursor) return false;
    }
    return true;
  }

  async function childrenOf(folder: string): Promise<readonly FileEntry[]> {
    try {
      const children = await files.list(folder);
      return children.toSorted((one, other) => (keyOf(one) < keyOf(other) ? -1 : 1));
    } catch (error) {
      // The root itself must exist; another folder that cannot be read is only reported.
      if (folder === uri) throw error;
      problems.push({ uri: folder, code: 'unreadable', message: String(error) });
      return [];
    }
  }

  const isWanted = (entry: FileEntry): boolean =>
    input.recursive !== true || !wanted || wanted.has(extensionOf(entry.uri));

  const isWhole = await walk(uri);
  return { entries, problems, cursor: isWhole ? null : place };
}

const keyOf = ({ uri, kind }: FileEntry): string => (kind === 'folder' ? `${uri}/` : uri);

const nameOf = (uri: string): string => uri.slice(uri.lastIndexOf('/') + 1);

const extensionOf = (uri: string): string =>
  /\.([a-z0-9+-]+)$/i.exec(nameOf(uri))?.[1]?.toLowerCase() ?? '';

const later = (one: string | null, other: string): string =>
  one !== null && one > other ? one : other;
